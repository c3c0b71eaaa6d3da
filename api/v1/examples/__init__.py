"""One good call of each operation, as the documentation shows it."""
