"""Name the column in each cell of a table, for phones, which show every row as a card."""

import re

from django.utils.html import strip_tags

_HEAD = re.compile(r"<thead\b.*?</thead>", re.DOTALL)
_HEADER = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
# The start of a row, or of a cell together with the space that is all an empty cell holds.
_START = re.compile(r"<(tr|th|td)\b([^>]*)>(\s*(?=</t[dh]>))?")
_SPAN = re.compile(r'\bcolspan="(\d+)"')


def add_to(table: str) -> str:
    """Return the table with a `data-label` on every cell that has a header and content.

    The headers of rows have none: they head the card. Neither has a column whose header is for
    screen readers only, such as that of buttons.
    """
    head = _HEAD.search(table)
    if head is None:
        return table
    labels = [_label(header) for header in _HEADER.findall(head[0])]
    column = 0

    def labelled(start: re.Match[str]) -> str:
        nonlocal column
        name, attributes, empty = start.groups()
        if name == "tr":
            column = 0
            return start[0]
        label = labels[column] if column < len(labels) else ""
        column += int(span[1]) if (span := _SPAN.search(attributes)) else 1
        if empty is not None or not label or name == "th":
            return f"<{name}{attributes}>"
        return f'<{name}{attributes} data-label="{label}">'

    return table[: head.end()] + _START.sub(labelled, table[head.end() :])


def _label(header: str) -> str:
    """Return the words of a header, which are escaped already, or "" if nobody sees them."""
    if 'class="sr"' in header:
        return ""
    return " ".join(strip_tags(header).split()).replace('"', "&quot;")
