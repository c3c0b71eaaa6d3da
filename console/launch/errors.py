"""What stops a command, in one sentence for the person at the keyboard."""


class Trouble(Exception):
    """The machine or its settings stand in the way; the message says what to do."""
