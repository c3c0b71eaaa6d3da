"""Packs and their revisions: facts, documents, offer and event chain."""
