"""Possible matches of screened parties with list entries, and what reviewers decided about them."""
