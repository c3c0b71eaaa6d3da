"""Streamed CSV files, protected against formula injection whatever separator a reader expects."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from console.shell import headers

# What starts a formula in spreadsheets, also in full width: at the start of a cell, and after what
# begins another cell for a reader that was told another separator.
_FORMULA = re.compile(r"(^|[;,|\t\r\n])(\s*)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])")
# Marks around a name in a sentence, which a cell does not need.
_ISOLATES = dict.fromkeys(map(ord, "\u2068\u2069"))


def response(name: str, rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """Return a streamed CSV response. The first row contains the column names."""
    return streamed(name, "text/csv; charset=utf-8", lines(rows))


def streamed(name: str, kind: str, parts: Iterable[str]) -> StreamingHttpResponse:
    """Return a streamed response that browsers save as a file."""
    said = {
        "Content-Disposition": content_disposition_header(as_attachment=True, filename=name),
        "Content-Security-Policy": f"{headers.NOTHING}; sandbox",
    }
    return StreamingHttpResponse(parts, content_type=kind, headers=said)


def lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield the lines of a CSV file. The byte order mark tells spreadsheets that it is UTF-8."""
    writer = csv.writer(_Line(), quoting=csv.QUOTE_ALL)
    yield "\ufeff"
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def cell(value: object) -> str:
    """Return a value as a cell, with an apostrophe before whatever would start a formula."""
    return "" if value is None else _FORMULA.sub(r"\1\2'", str(value).translate(_ISOLATES))


class _Line:
    """A file-like object whose `write` returns the line."""

    def write(self, line: str) -> str:
        return line
