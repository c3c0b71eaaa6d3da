"""Which event is being handled, so that a repeated handling can be recognised by others."""

from contextvars import ContextVar

# The event's public id and the listener's name; "" outside a listener.
NAME: ContextVar[str] = ContextVar("handled_event", default="")
