"""The operator library: one file per refactoring. See `operators/README.md` for the catalogue."""
