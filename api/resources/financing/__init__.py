"""Financing: the credit that a business is offered."""
