"""Write a PDF again, as viewers read it: without what is hidden in it, and without encryption.

Runs only in the process that inspects files. qpdf finds the pages as viewers do: with bytes before
the header or after the end, with a damaged table of its objects, or with an owner's password.
"""

from io import BytesIO
from typing import Final

import pikepdf
from pikepdf import ObjectStreamMode, StreamDecodeLevel

from onboarding.evidence.faults import EvidenceFault

# How a PDF ends. Objects behind the last one belong to a revision whose end is missing.
_TABLE = b"startxref"
_ENDS, _OBJECT = (b"%%EOF", _TABLE), b" obj"
# Recompressing takes most of the time.
_FAST: Final = 1


def written_again(data: bytes) -> bytes:
    """Return a PDF with the same pages: its objects in use only, each in a plain form."""
    end = max(data.rfind(one) for one in _ENDS)
    if end < 0 or _OBJECT in data[end:]:
        raise EvidenceFault("cut")
    pikepdf.settings.set_flate_compression_level(_FAST)
    try:
        return _saved(data)
    except pikepdf.PasswordError:
        raise EvidenceFault("locked") from None
    except pikepdf.PdfError:
        # Its table may name other objects. Without one, they are found one by one.
        return _saved(data.replace(_TABLE, b"%" * len(_TABLE)))


def _saved(data: bytes) -> bytes:
    written = BytesIO()
    with pikepdf.open(BytesIO(data), suppress_warnings=True) as pdf:
        pdf.save(
            written,
            deterministic_id=True,
            object_stream_mode=ObjectStreamMode.disable,
            stream_decode_level=StreamDecodeLevel.specialized,
        )
    return written.getvalue()
