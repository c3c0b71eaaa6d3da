"""Client of `inspect_worker`: find out what an uploaded file is, or refuse it."""

import json
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from console.core import file_formats
from console.core.isolation import LARGEST_FILE, ask
from console.core.refusals import Refused
from onboarding.evidence.media_types import media_type_of

WORDS = {
    "kind": gettext_noop("This is not a PDF, PNG or JPEG file. Choose a file of one of these."),
    "size": gettext_noop("This file is larger than 20 MB. Choose a smaller one."),
    "broken": gettext_noop(
        "We cannot read this file. Scan the document again, or print it to a new PDF file."
    ),
    "cut": gettext_noop(
        "The end of this file is missing, so pages or parts of them may be lost. Choose the "
        "complete file, or scan the document again."
    ),
    "locked": gettext_noop(
        "This PDF opens only with a password. Choose one that opens without a password."
    ),
    "script": gettext_noop(
        "This PDF contains a script. Print it to a new PDF file and choose that."
    ),
    "attachment": gettext_noop(
        "This PDF has other files attached to it. Print it to a new PDF file and choose that, and "
        "upload the attached files by themselves."
    ),
    "action": gettext_noop(
        "This PDF starts an action when somebody opens or uses it, such as opening a program, "
        "another file or a web page, or sending data. Print it to a new PDF file and choose that."
    ),
    "outside": gettext_noop(
        "Parts of this PDF are in other files or on web pages. Print it to a new PDF file and "
        "choose that."
    ),
    "media": gettext_noop(
        "This PDF contains a film, sound or 3D model. Print it to a new PDF file and choose that."
    ),
    "xfa": gettext_noop(
        "This PDF is an interactive form (XFA), which many programs cannot show. Print it to a "
        "new PDF file and choose that."
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
    """What a file is: its media type, its pages, the copy of it to keep, and a smaller picture.

    `preview` is empty for a PDF.
    """

    media_type: str
    pages: int | None
    kept: bytes
    preview: bytes


def inspect(data: bytes) -> Inspected:
    """Return what the file is, by its content alone. Raises FileRefused."""
    if len(data) > LARGEST_FILE:
        raise refused("size")
    if not media_type_of(data):
        raise _of_another_kind(data)
    line, _newline, files = ask(_WORKER, data).partition(b"\n")
    try:
        said: dict[str, Any] = json.loads(line)
    except ValueError:
        raise refused("heavy") from None  # the process met a limit
    if "refused" in said:
        raise refused(said["refused"])
    size = said["size"]
    return Inspected(said["media_type"], said["pages"], files[:size], files[size:])


def _of_another_kind(data: bytes) -> FileRefused:
    kind, way = file_formats.named(data)
    if not kind:
        return refused("kind")
    return FileRefused(_("This is %(kind)s. %(way)s") % {"kind": kind, "way": way})


def refused(why: str) -> FileRefused:
    return FileRefused(_(WORDS[why]))
