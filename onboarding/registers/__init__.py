"""Public company registers: Companies House, GLEIF and VIES, and a simulated one for the demo."""
