"""The channel on which the database tells that a key, its grant or its business has changed."""

CHANNEL = "key_changes"
