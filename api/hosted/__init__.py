"""Pages that payers see: public, each at an address that nobody guesses."""
