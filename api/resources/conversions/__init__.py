"""Conversions: one balance pays, another receives, at the rate of a quote."""
