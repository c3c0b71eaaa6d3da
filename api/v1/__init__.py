"""The versioned family: what a key opens. Frozen; only ever added to."""
