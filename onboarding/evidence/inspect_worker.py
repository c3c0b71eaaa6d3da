"""Process that inspects one uploaded file: no network, no file writes, limited memory and time.

It reads the file from its standard input. It writes one line of JSON, `{"media_type", "pages",
"size"}` or `{"refused"}`, then the file to keep, of that size, and then a smaller picture of it if
it is a picture. What we keep is always written again: what viewers do not show is not in it.
"""

import json
import logging
import sys
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from PIL import Image
from pyhanko.pdf_utils import filters, generic
from pyhanko.pdf_utils.decode_limits import DecodeLimits, MiB, StreamDecodeLimits
from pyhanko.pdf_utils.misc import PdfDecodeLimitError
from pyhanko.pdf_utils.reader import PdfFileReader

from console.core import isolation, pictures
from onboarding.evidence import pdf_copy
from onboarding.evidence.faults import EvidenceFault
from onboarding.evidence.media_types import JPEG, PDF, media_type_of

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

# What runs, sends or hides something, as keys of any dictionary, as actions, and as the kinds of
# annotations and drawings, with the code of `inspection.WORDS` for each.
_KEYS = {
    **dict.fromkeys(("/JS", "/JavaScript", "/PS"), "script"),
    **dict.fromkeys(("/EmbeddedFiles", "/EF", "/Collection"), "attachment"),
    "/XFA": "xfa",
    "/AA": "action",
    "/OPI": "outside",
    **dict.fromkeys(("/RichMediaContent", "/3DD"), "media"),
}
_ACTIONS = {
    "/JavaScript": "script",
    **dict.fromkeys(
        ("/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Thread"), "action"
    ),
    **dict.fromkeys(
        ("/Movie", "/Sound", "/Rendition", "/RichMediaExecute", "/GoTo3DView"), "media"
    ),
}
_SUBTYPES = {
    "/FileAttachment": "attachment",
    "/PS": "script",
    **dict.fromkeys(("/Movie", "/Sound", "/Screen", "/RichMedia", "/3D", "/Projection"), "media"),
}
# The most telling first: an attached file and a script are parts of actions too.
_TELLING = ("script", "attachment", "xfa", "media", "action", "outside")
# In a signed file, which is kept as it is, also where our parser does not look: in former
# revisions and unused objects.
_ACTIVE_BYTES = (b"/JavaScript", b"/Launch", b"/EmbeddedFile", b"/RichMedia", b"/SubmitForm")


def main() -> None:
    """Inspect the file on standard input."""
    logging.disable(logging.CRITICAL)
    isolation.limit(memory=MEMORY, cpu_seconds=CPU_SECONDS)
    said, *files = _inspected(sys.stdin.buffer.read())
    sys.stdout.buffer.write(b"".join([json.dumps(said).encode(), b"\n", *files]))


def _inspected(data: bytes) -> tuple[dict[str, Any], bytes, bytes]:
    try:
        if media_type_of(data) == PDF:
            kept, pages = _kept_pdf(data)
            return {"media_type": PDF, "pages": pages, "size": len(kept)}, kept, b""
        kept, preview = _kept_picture(data)
        return {"media_type": JPEG, "pages": None, "size": len(kept)}, kept, preview
    except EvidenceFault as fault:
        return {"refused": str(fault)}, b"", b""
    except (PdfDecodeLimitError, MemoryError):
        return {"refused": "heavy"}, b"", b""
    except Exception:  # noqa: BLE001 - an untrusted file may break the parser in any way
        return {"refused": "broken"}, b"", b""


def _kept_picture(data: bytes) -> tuple[bytes, bytes]:
    """Return the picture and a smaller one as new JPEG files, upright and without metadata."""
    try:
        picture = pictures.decoded(data, most_pixels=MOST_PIXELS, mode="RGBA")
    except pictures.LargePicture:
        raise EvidenceFault("pixels") from None
    except pictures.IncompletePicture:
        raise EvidenceFault("cut") from None
    # Black words on a transparent background must not become black on black.
    shown = Image.new("RGB", picture.size, "white")
    shown.paste(picture, mask=picture)
    kept = _as_jpeg(shown, quality=92, subsampling=0)
    shown.thumbnail((PREVIEW_SIDE, PREVIEW_SIDE))
    return kept, _as_jpeg(shown, quality=85)


def _as_jpeg(picture: Image.Image, **options: int) -> bytes:
    written = BytesIO()
    picture.save(written, "JPEG", **options)
    return written.getvalue()


def _kept_pdf(data: bytes) -> tuple[bytes, int]:
    """Return the PDF to keep, and its number of pages."""
    written = pdf_copy.written_again(data)
    pages = _pages(written)
    # Written again, a signature could not be verified any more.
    is_kept = b"/ByteRange" in written and _is_clean(data)
    return data if is_kept else written, pages


def _is_clean(data: bytes) -> bool:
    """Tell whether the file needs no repair, and hides nothing, so that it can be kept as it is."""
    ends = data.startswith(b"%PDF-") and data.rstrip(b"\0\t\r\n ").endswith(b"%%EOF")
    if not ends or any(found in data for found in _ACTIVE_BYTES):
        return False
    try:
        return bool(_pages(data))
    except Exception:  # noqa: BLE001 - as above
        return False


def _pages(data: bytes) -> int:
    """Return the number of pages of a PDF, or refuse it."""
    reader = PdfFileReader(BytesIO(data), strict=True, decode_limits=LIMITS)
    if reader.encrypted:
        raise EvidenceFault("locked")
    pages, active = 0, set[str]()
    for found in _dictionaries(reader):
        active |= _active(found)
        _refuse_large(found)
        pages += _value(found, "/Type") == "/Page"
        if pages > MOST_PAGES:
            raise EvidenceFault("pages")
    if active:
        raise EvidenceFault(min(active, key=_TELLING.index))
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


def _active(found: generic.DictionaryObject) -> set[str]:
    """Return what in this dictionary runs, sends or hides something, as codes of faults."""
    found_kinds = {_KEYS[key] for key in _KEYS.keys() & found.keys()}
    found_kinds |= {
        _ACTIONS.get(str(_value(found, "/S")), ""),
        _SUBTYPES.get(str(_value(found, "/Subtype")), ""),
    }
    if _runs_when_opened(_value(found, "/OpenAction")):
        found_kinds.add("action")
    if _names_a_file(found):
        found_kinds.add("outside")
    return found_kinds - {""}


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
