"""Troubleshooting pages for a business and our staff: request log, and why a call is refused."""
