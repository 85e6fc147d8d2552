"""The commands of `acr train`, by subject. Thin: what they do is in the module of the same name."""
