"""Keyset pagination cursors: the time and the id of a list's last row, in one URL parameter."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST = 40


def place(at: datetime, row_id: int) -> str:
    """Return the cursor of a row: microseconds since 1970, and its id."""
    return f"{(at - _EPOCH) // _MICROSECOND}-{row_id}"


def read(word: str) -> tuple[datetime, int] | None:
    """Parse a cursor. Return None if it is malformed, so the list starts from the beginning."""
    microseconds, _, row_id = word.partition("-")
    if not (microseconds.isdecimal() and row_id.isdecimal() and len(word) < _LONGEST):
        return None
    try:
        return _EPOCH + int(microseconds) * _MICROSECOND, int(row_id)
    except OverflowError:
        return None
