"""Versioned files: read, checked, proposed by one person and put in use by another."""
