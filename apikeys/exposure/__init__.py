"""Revoke leaked keys: a report that contains a whole key proves the leak."""
