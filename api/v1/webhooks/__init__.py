"""Webhooks: endpoints, what is delivered to them, and the events themselves (2.5)."""
