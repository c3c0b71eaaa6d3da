"""Process that inspects one uploaded file: no network, no file writes, limited memory and time.

It reads the file from its standard input. It writes one line of JSON, `{"media_type", "pages"}` or
`{"refused"}`, and then the picture to show, if the file is one.
"""

import json
import logging
import sys
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image, ImageOps
from pyhanko.pdf_utils import filters, generic
from pyhanko.pdf_utils.decode_limits import DecodeLimits, MiB, StreamDecodeLimits
from pyhanko.pdf_utils.misc import PdfDecodeLimitError
from pyhanko.pdf_utils.reader import PdfFileReader

from console.core import isolation, pictures
from onboarding.evidence.media_types import PDF, media_type_of

MEMORY, CPU_SECONDS = 1024 * MiB, 10
MOST_PIXELS = 60_000_000
MOST_PAGES = 200
# Documents of 200 pages have fewer.
MOST_OBJECTS = 30_000
LARGEST_PAGE = 14_400  # points, the largest that PDF 1.7 allows
PREVIEW_SIDE = 2000
LIMITS = DecodeLimits(per_stream=StreamDecodeLimits(max_output_size=64 * MiB))
# A picture of MOST_PIXELS in four colours has less.
LARGEST_PICTURE = 256 * MiB
# Filters that unpack a picture themselves, and those whose files say how large they are.
_FLATE = {"/FlateDecode", "/Fl"}
_PIECE = 64 * 1024
_MEASURED = {"/DCTDecode", "/DCT", "/JPXDecode"}
_PICTURE_FILTERS = _MEASURED | {"/CCITTFaxDecode", "/CCF", "/JBIG2Decode"}

# What runs, sends or hides something, as keys of any dictionary, and as actions.
_ACTIVE_KEYS = {
    *("/JS", "/JavaScript", "/EmbeddedFiles", "/EF", "/XFA", "/RichMediaContent"),
    *("/Collection", "/3DD", "/PS", "/AA", "/OPI"),
}
_ACTIVE_ACTIONS = {
    *("/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Movie"),
    *("/Sound", "/Rendition", "/RichMediaExecute", "/GoTo3DView", "/Thread"),
}
# Of annotations and drawings.
_ACTIVE_SUBTYPES = {
    *("/FileAttachment", "/Movie", "/Sound", "/Screen", "/RichMedia", "/3D", "/Projection", "/PS"),
}
# Also refused where our parser does not look: in former revisions and unused objects.
_ACTIVE_BYTES = (b"/JavaScript", b"/Launch", b"/EmbeddedFile", b"/RichMedia", b"/SubmitForm")


class EvidenceFault(Exception):
    """Why the file is refused, as a code of `inspection.WORDS`."""


def main() -> None:
    """Inspect the file on standard input."""
    logging.disable(logging.CRITICAL)
    isolation.limit(memory=MEMORY, cpu_seconds=CPU_SECONDS)
    said, preview = _inspected(sys.stdin.buffer.read())
    sys.stdout.buffer.write(json.dumps(said).encode() + b"\n" + preview)


def _inspected(data: bytes) -> tuple[dict[str, Any], bytes]:
    try:
        media_type = media_type_of(data)
        if media_type == PDF:
            return {"media_type": media_type, "pages": _pages(data)}, b""
        return {"media_type": media_type, "pages": None}, _preview(data)
    except EvidenceFault as fault:
        return {"refused": str(fault)}, b""
    except PdfDecodeLimitError:
        return {"refused": "heavy"}, b""
    except Exception:  # noqa: BLE001 - an untrusted file may break the parser in any way
        return {"refused": "broken"}, b""


def _preview(data: bytes) -> bytes:
    """Return the picture as a new JPEG without metadata, upright."""
    try:
        picture = pictures.decoded(data, most_pixels=MOST_PIXELS, mode="RGBA")
    except pictures.LargePicture:
        raise EvidenceFault("pixels") from None
    picture = ImageOps.exif_transpose(picture)
    picture.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
    # Black words on a transparent background must not become black on black.
    shown = Image.new("RGB", picture.size, "white")
    shown.paste(picture, mask=picture)
    written = BytesIO()
    shown.save(written, "JPEG", quality=85)
    return written.getvalue()


def _pages(data: bytes) -> int:
    """Return the number of pages of a PDF, or refuse it."""
    if not data.rstrip(b"\0\t\r\n ").endswith(b"%%EOF"):
        raise EvidenceFault("broken")
    if any(found in data for found in _ACTIVE_BYTES):
        raise EvidenceFault("active")
    reader = PdfFileReader(BytesIO(data), strict=True, decode_limits=LIMITS)
    if reader.encrypted:
        raise EvidenceFault("locked")
    pages = 0
    for found in _dictionaries(reader):
        _refuse_active(found)
        _refuse_large(found)
        pages += _value(found, "/Type") == "/Page"
        if pages > MOST_PAGES:
            raise EvidenceFault("pages")
    if not pages or reader.root["/Pages"]["/Type"] != "/Pages":
        raise EvidenceFault("broken")
    return pages


def _dictionaries(reader: PdfFileReader) -> Iterator[generic.DictionaryObject]:
    """Yield every dictionary and stream that a reader can reach, each once."""
    waiting: list[Any] = [reader.root, *dict.values(reader.trailer_view)]
    seen: set[tuple[int, int]] = set()
    while waiting:
        found = waiting.pop()
        if isinstance(found, generic.IndirectObject):
            if (found.idnum, found.generation) in seen:
                continue
            seen.add((found.idnum, found.generation))
            if len(seen) > MOST_OBJECTS:
                raise EvidenceFault("heavy")
            found = found.get_object()
        if isinstance(found, generic.DictionaryObject):
            yield found
            waiting += dict.values(found)
        elif isinstance(found, generic.ArrayObject):
            waiting += list.__iter__(found)


def _value(found: generic.DictionaryObject, key: str, otherwise: Any = None) -> Any:
    """Return the value of an entry, also where it is an object of its own."""
    return found[key] if key in found else otherwise  # noqa: SIM401  # get() returns references


def _refuse_active(found: generic.DictionaryObject) -> None:
    if (
        _ACTIVE_KEYS & found.keys()
        or _value(found, "/S") in _ACTIVE_ACTIONS
        or _value(found, "/Subtype") in _ACTIVE_SUBTYPES
        or _runs_when_opened(_value(found, "/OpenAction"))
        or _names_a_file(found)
    ):
        raise EvidenceFault("active")


def _runs_when_opened(action: Any) -> bool:
    """Tell whether opening the document does more than to show a page of it."""
    is_action = isinstance(action, generic.DictionaryObject)
    return is_action and (_value(action, "/S") != "/GoTo" or "/Next" in action)


def _names_a_file(found: generic.DictionaryObject) -> bool:
    """Tell whether a part of the document is in another file: a stream, a drawing or a link."""
    is_outside = isinstance(found, generic.StreamObject) and bool({"/F", "/Ref"} & found.keys())
    return is_outside or _value(found, "/Type") in ("/Filespec", "/F")


def _refuse_large(found: generic.DictionaryObject) -> None:
    """Refuse pictures and pages that a viewer could not unfold, and streams that unpack to much."""
    box = _value(found, "/MediaBox")
    if box and any(
        abs(float(side) * float(_value(found, "/UserUnit", 1))) > LARGEST_PAGE for side in box
    ):
        raise EvidenceFault("pixels")
    if _value(found, "/Type") == "/Page":
        _refuse_pictures(_value(found, "/Contents"))
    if not isinstance(found, generic.StreamObject):
        return
    if _value(found, "/Subtype") == "/Image":
        _refuse_large_picture(found)
    elif _value(found, "/Filter"):
        found.data  # noqa: B018 - decoded to meet the limits


def _refuse_pictures(contents: Any) -> None:
    """Refuse what a page draws if it claims to be a picture, which may unpack to more."""
    for one in contents if isinstance(contents, generic.ArrayObject) else [contents]:
        if isinstance(one, generic.DictionaryObject) and _value(one, "/Subtype") == "/Image":
            raise EvidenceFault("broken")


def _refuse_large_picture(found: generic.StreamObject) -> None:
    """Refuse a picture by the size that it states, that its file states, or that it unpacks to."""
    _refuse_pixels(int(_value(found, "/Width", 0)), int(_value(found, "/Height", 0)))
    named = _value(found, "/Filter", generic.ArrayObject())
    names = list(named) if isinstance(named, generic.ArrayObject) else [named]
    data = found.encoded_data
    for name in names:
        if name in _MEASURED:
            _refuse_pixels(*_pixels(data))
        if name in _PICTURE_FILTERS:
            return
        if name in _FLATE and name is names[-1]:
            _refuse_unfolding(data)
        else:
            data = filters.get_generic_decoder(name).decode_bounded(data, {}, 64 * MiB)


def _pixels(data: bytes) -> tuple[int, int]:
    try:
        with Image.open(BytesIO(data), formats=["JPEG", "JPEG2000"]) as picture:
            return picture.size
    except Image.DecompressionBombError:
        raise EvidenceFault("pixels") from None


def _refuse_unfolding(data: bytes) -> None:
    """Refuse what unpacks to more than any picture, without keeping it in memory."""
    unpacker, left = zlib.decompressobj(), LARGEST_PICTURE
    for start in range(0, len(data), _PIECE):
        waiting = data[start : start + _PIECE]
        while waiting and not unpacker.eof:
            left -= len(unpacker.decompress(waiting, MiB))
            waiting = unpacker.unconsumed_tail
            if left < 0:
                raise EvidenceFault("heavy")
    if not unpacker.eof:
        raise EvidenceFault("broken")


def _refuse_pixels(width: int, height: int) -> None:
    if width <= 0 or height <= 0:
        raise EvidenceFault("broken")
    if width * height > MOST_PIXELS:
        raise EvidenceFault("pixels")


if __name__ == "__main__":
    main()
