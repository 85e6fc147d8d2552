"""Reading a dialogue: from texts (`features`) to what each turn does (`dialogue`).

`lexicon` and `text` know words, `attempt` reads answers, `reference` finds what a user turn points at,
`language` guesses the language. Signals and ledger are built on this, and on nothing else.
"""
