"""Pages of webhooks: endpoints, deliveries, replays, and the staff pages."""
