"""Webhooks: endpoints, events and deliveries to the systems of a business."""
