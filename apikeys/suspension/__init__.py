"""Suspend, restore and close the access of a whole business, and notify its members."""
