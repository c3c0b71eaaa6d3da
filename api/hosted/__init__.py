"""Hosted pages for payers: public, at URLs that cannot be guessed."""
