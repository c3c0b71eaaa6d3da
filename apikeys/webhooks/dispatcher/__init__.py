"""The process that sends deliveries: it claims them, sends them, and settles what came of it.

Sending runs on one event loop; the database is asked from threads beside it. The rows of
`QueuedDelivery` are the queue; nothing that is not committed is relied on, so a process that is
killed loses nothing.
"""
