"""Lists the rules stand on: countries, restricted places, bands, rates. Dated data, no code."""
