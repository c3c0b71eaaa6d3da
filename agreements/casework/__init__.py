"""Reviewer pages: the work queue of packs, and an application with its pack."""
