"""The versioned family of API operations. Frozen: only add to it."""
