"""Backup sets of the database and the document store, and verification of what was restored."""
