"""Turns single-turn instructions into sharded ones: segment, rephrase, verify, review, accept.

The pipeline of the Lost-in-Conversation paper (arXiv 2505.06120, section 3 and appendix), with checks that
need no model before the costly verification, and a review file in which a person has the last word.
"""
