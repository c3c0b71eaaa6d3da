"""Readers of the files that publishers of sanctions lists offer."""
