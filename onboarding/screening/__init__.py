"""Sanctions screening: lists as rows, imports of new versions, and screening against them."""
