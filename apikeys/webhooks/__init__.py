"""Telling a business's systems what happened: endpoints, events, deliveries."""
