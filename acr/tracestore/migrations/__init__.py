"""The schema of the store of traces, step by step. Run by `acr.tracestore.database`, not by its command."""
