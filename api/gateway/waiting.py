"""What a call may wait for: nothing, as long as it is on the event loop."""


class WouldWait(Exception):
    """Something that waits comes next. Nothing was changed: a thread asks for it again."""
