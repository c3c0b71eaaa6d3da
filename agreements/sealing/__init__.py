"""Seal an executed pack: PDFs, manifest, certificate of execution and bundle."""
