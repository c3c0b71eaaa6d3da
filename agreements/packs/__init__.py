"""A pack and its revisions: its facts, its documents, its offer, and the chain of its events."""
