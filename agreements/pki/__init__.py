"""Seal keys, certificates, time stamping and the list of withdrawn seals."""
