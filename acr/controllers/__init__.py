"""Built-in controllers. Each is one file and one entry point."""
