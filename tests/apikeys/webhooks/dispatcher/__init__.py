"""The process that sends deliveries, as it runs."""
