"""The process that sends deliveries: it claims them, sends them, and settles what came of it.

It imports no model and no application, so that it stays small: SQL of its own, the settings, and
the few modules that sign and guard. The rows of `QueuedDelivery` are the queue; nothing that is not
committed is relied on, so a process that is killed loses nothing.
"""
