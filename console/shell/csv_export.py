"""Lists as CSV files: streamed, and no cell starts a formula in a spreadsheet."""

import csv
from collections.abc import Iterable, Iterator, Sequence

from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header

from console.shell import headers

# What spreadsheets take for the beginning of a formula, also in full width.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def response(name: str, rows: Iterable[Sequence[object]]) -> StreamingHttpResponse:
    """Answer with a CSV file; the first row holds the names of the columns."""
    return streamed(name, "text/csv; charset=utf-8", lines(rows))


def streamed(name: str, kind: str, parts: Iterable[str]) -> StreamingHttpResponse:
    """Answer with a file to keep, piece by piece."""
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
    """Return a value as a cell: what would start a formula gets an apostrophe in front."""
    text = "" if value is None else str(value)
    begins = text.startswith(_FORMULA) or text.lstrip().startswith(_FORMULA)
    return f"'{text}" if begins else text


class _Line:
    """Hands a written line back to whoever writes it."""

    def write(self, line: str) -> str:
        return line
