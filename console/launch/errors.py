"""The exception that ends a command with one sentence for the user."""


class Trouble(Exception):
    """The machine or its settings prevent the command. The message says what to do."""
