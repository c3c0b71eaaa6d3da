"""The process that sends webhooks: it claims deliveries, sends them and records the results.

Sending runs on one event loop; database queries run in threads. The `QueuedDelivery` rows are the
queue, and the process relies on committed data only, so nothing is lost if it is killed.
"""
