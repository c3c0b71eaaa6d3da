"""Pages of webhooks in the console: endpoints, deliveries, replays, and what our staff see."""
