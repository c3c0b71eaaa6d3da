"""Providers that move money and issue accounts, cards and addresses, behind one interface."""
