"""The exception that ends a command with one sentence for the user."""


class Trouble(SystemExit):
    """The machine or its settings prevent the command. The message says what to do.

    If nothing catches it, Python prints the message and exits with status 1.
    """
