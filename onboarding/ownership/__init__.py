"""Who owns, runs and controls a business: its structure, and what follows from it, exactly."""
