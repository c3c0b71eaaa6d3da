"""Domains, localhost and the logo of payment pages."""
