"""Versioned files: loaded, validated, proposed by one person and put in use by another."""
