"""Write a PDF again, as viewers read it: without what is hidden in it, and without encryption.

Runs only in the process that inspects files. qpdf finds the pages as viewers do: with bytes before
the header or after the end, with a damaged table of its objects, or with an owner's password.
"""

import re
from io import BytesIO
from typing import Final

import pikepdf
from pikepdf import ObjectStreamMode, StreamDecodeLevel

from onboarding.evidence.faults import EvidenceFault

# How a PDF ends. Objects behind the last one belong to a revision whose end is missing.
_TABLE = b"startxref"
_ENDS, _OBJECT, _END_OF_OBJECT = (b"%%EOF", _TABLE), b" obj", b"endobj"
_REFERENCE = re.compile(rb"(?<![0-9])([0-9]{1,10}) ([0-9]{1,5}) R(?![A-Za-z])")
# Recompressing takes most of the time.
_FAST: Final = 1


def written_again(data: bytes) -> bytes:
    """Return a PDF with the same pages: its objects in use only, each in a plain form."""
    end = max(data.rfind(one) for one in _ENDS)
    is_ended = end >= 0 and _OBJECT not in data[end:]
    if not is_ended and _END_OF_OBJECT not in data[data.rfind(_OBJECT) :]:
        raise EvidenceFault("cut")
    pikepdf.settings.set_flate_compression_level(_FAST)
    try:
        return _saved(data, is_ended=is_ended)
    except pikepdf.PasswordError:
        raise EvidenceFault("locked") from None
    except pikepdf.PdfError:
        if not is_ended:
            raise EvidenceFault("cut") from None
        # Its table may name other objects. Without one, they are found one by one.
        return _saved(data.replace(_TABLE, b"%" * len(_TABLE)), is_ended=is_ended)


def _saved(data: bytes, *, is_ended: bool) -> bytes:
    written = BytesIO()
    with pikepdf.open(BytesIO(data), suppress_warnings=True) as pdf:
        # Old programs wrote no end. Without one, the document is whole if it has every object.
        if not is_ended and not _is_whole(pdf):
            raise EvidenceFault("cut")
        if "/Size" not in pdf.trailer:  # the writer needs one, and puts the right one in its place
            pdf.trailer["/Size"] = 1
        pdf.save(
            written,
            deterministic_id=True,
            object_stream_mode=ObjectStreamMode.disable,
            stream_decode_level=StreamDecodeLevel.specialized,
        )
    return written.getvalue()


def _is_whole(pdf: pikepdf.Pdf) -> bool:
    """Tell whether the file has every object to which others refer."""
    there = [one for one in pdf.objects if one is not None]
    named: set[tuple[int, int]] = set()
    for one in there:
        plain = one.stream_dict if isinstance(one, pikepdf.Stream) else one
        found = _REFERENCE.findall(plain.unparse(resolved=True))
        named |= {(int(number), int(age)) for number, age in found}
    return named <= {one.objgen for one in there}
