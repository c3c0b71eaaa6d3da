"""Where a list goes on: the moment and the number of its last row, as one word in an address."""

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST = 40


def place(at: datetime, row_id: int) -> str:
    """Write the place of a row: microseconds since 1970, and its number."""
    return f"{(at - _EPOCH) // _MICROSECOND}-{row_id}"


def read(word: str) -> tuple[datetime, int] | None:
    """Read a place. What is none reads as None, and its list begins at the beginning."""
    microseconds, _, row_id = word.partition("-")
    if not (microseconds.isdecimal() and row_id.isdecimal() and len(word) < _LONGEST):
        return None
    try:
        return _EPOCH + int(microseconds) * _MICROSECOND, int(row_id)
    except OverflowError:
        return None
