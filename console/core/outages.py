"""Tell an outage of the database from other errors."""

from django.db import InterfaceError, OperationalError

# Seconds after which a client may try again.
RETRY_AFTER = 5
# Classes of errors between transactions, such as deadlocks: the database itself works.
_BETWEEN_TRANSACTIONS = ("40", "55")
# The server became a standby, or ended a transaction that took too long.
_OF_THE_SERVER = ("25006", "25P03", "25P04")


def is_outage(error: BaseException | None) -> bool:
    """Tell whether an error, or what led to it, says that the database cannot be used now."""
    while error is not None:
        if isinstance(error, InterfaceError):
            return True
        state = getattr(error.__cause__, "sqlstate", None) or ""
        if state in _OF_THE_SERVER:
            return True
        if isinstance(error, OperationalError):
            return not state.startswith(_BETWEEN_TRANSACTIONS)
        error = error.__cause__ or error.__context__
    return False
