"""Seal an executed pack: the PDFs, the manifest, the certificate of execution and the bundle."""
