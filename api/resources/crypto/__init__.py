"""Crypto: addresses that assets can be sent to, and withdrawals to addresses elsewhere."""
