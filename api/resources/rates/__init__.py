"""Exchange rates: of every pair of currencies, from a versioned file."""
