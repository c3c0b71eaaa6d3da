"""Example calls of each operation, for the documentation."""
