"""Client of `inspect_worker`: find out what an uploaded file is, or refuse it."""

import json
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.core.isolation import LARGEST_FILE, ask
from console.core.refusals import Refused
from onboarding.evidence.media_types import media_type_of

WORDS = {
    "kind": gettext_noop("This is not a PDF, PNG or JPEG file. Choose a file of one of these."),
    "size": gettext_noop("This file is larger than 20 MB. Choose a smaller one."),
    "broken": gettext_noop(
        "We cannot read this file. Scan the document again, or print it to a new PDF file."
    ),
    "locked": gettext_noop("This PDF is protected with a password. Choose one without a password."),
    "active": gettext_noop(
        "This PDF contains scripts, attached files, a form that sends data, or parts in other "
        "files or on web pages. Print it to a new PDF file and choose that."
    ),
    "pages": gettext_noop("This PDF has more than 200 pages. Choose one with fewer pages."),
    "pixels": gettext_noop(
        "A picture or page in this file is too large. Choose one of at most 60 megapixels."
    ),
    "heavy": gettext_noop("This file unpacks to too much data. Print it to a new PDF file."),
}
_WORKER = "onboarding.evidence.inspect_worker"


class FileRefused(Refused):
    """The file cannot be evidence. The message says why, and what to do."""

    code = "file_refused"
    field = "file"


@dataclass(frozen=True)
class Inspected:
    """What a file is: its media type, its pages, and a picture of it if it is one."""

    media_type: str
    pages: int | None
    preview: bytes


def inspect(data: bytes) -> Inspected:
    """Return what the file is, by its content alone. Raises FileRefused."""
    if len(data) > LARGEST_FILE:
        raise refused("size")
    if not media_type_of(data):
        raise refused("kind")
    line, _newline, preview = ask(_WORKER, data).partition(b"\n")
    try:
        said: dict[str, Any] = json.loads(line)
    except ValueError:
        raise refused("heavy") from None  # the process met a limit
    if "refused" in said:
        raise refused(said["refused"])
    return Inspected(**said, preview=preview)


def refused(why: str) -> FileRefused:
    return FileRefused(_(WORDS[why]))
