"""Turn an uploaded PNG or JPEG file into a small PNG without metadata, in a folder of its own."""

from console.core import file_formats, isolation
from console.core.refusals import Refused

MOST_BYTES = 1024 * 1024
# In the document store. A hash names no other kind of file here.
FOLDER = "logos"
_WORKER = "api.checkout.logo_worker"
_PNG = b"\x89PNG"
_TAKEN = (_PNG, b"\xff\xd8\xff")
_UNREADABLE = "We cannot read this file."
_WORDS = {
    b"large": "This picture is too large. Choose one of at most 10 megapixels.",
    b"incomplete": "The end of this file is missing. Choose the complete picture.",
}


class LogoRefused(Refused):
    """The file cannot be a logo. The message says why."""

    code = "logo_refused"
    field = "file"


def as_png(data: bytes) -> bytes:
    """Return the picture as a new, small PNG. It is decoded in an isolated process."""
    if len(data) > MOST_BYTES:
        raise LogoRefused("Choose a file of at most 1 MB.")
    if not data.startswith(_TAKEN):
        kind, _way = file_formats.named(data)
        words = f"This is {kind}." if kind else _UNREADABLE
        raise LogoRefused(f"{words} Choose a PNG or JPEG picture.")
    written = isolation.ask(_WORKER, data)
    if not written.startswith(_PNG):
        raise LogoRefused(_WORDS.get(written, f"{_UNREADABLE} Choose a PNG or JPEG picture."))
    return written
