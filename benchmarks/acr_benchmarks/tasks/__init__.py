"""The built-in tasks, one file each. They are reached through the entry points `acr.tasks`."""
