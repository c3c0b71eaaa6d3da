"""Savings: money that a business puts aside with a savings provider, and takes back."""
