"""Decode PNG and JPEG pictures that strangers upload."""

import struct
from io import BytesIO

from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

_FAULTS = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,
    ValueError,
    OverflowError,
    EOFError,
    struct.error,
)
# Of a JPEG. The noise is data of pixels that any picture would show.
_START, _END, _NOISE = b"\xff\xd8\xff", b"\xff\xd9", b"\x5a\xa5\x3c" * 500
_BOMBS = (Image.DecompressionBombError, Image.DecompressionBombWarning)
# Scanners write grey pictures of 16 bits, which Pillow does not convert but cut off.
_SIXTEEN_BITS, _TO_EIGHT_BITS = ("I", "I;16", "I;16B", "I;16L", "I;16N"), 1 / 256


class UnreadablePicture(Exception):
    """The file is not a PNG or JPEG picture."""


class IncompletePicture(UnreadablePicture):
    """The end of the file is missing."""


class LargePicture(Exception):
    """The picture has more pixels than allowed."""


def decoded(data: bytes, *, most_pixels: int, mode: str) -> Image.Image:
    """Return the picture in this mode, upright. Whatever is behind it in the file is not read.

    Its size is checked first: a small file can hold a huge picture.
    """
    # Importing WeasyPrint sets this for the whole process, and then Pillow accepts damaged files.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        return _decoded(data, most_pixels, mode)
    except IncompletePicture:
        if not _lacks_only_its_end(data):
            raise
        return _decoded(data + _END, most_pixels, mode)


def _decoded(data: bytes, most_pixels: int, mode: str) -> Image.Image:
    try:
        with Image.open(BytesIO(data), formats=["PNG", "JPEG"]) as picture:
            if picture.width * picture.height > most_pixels:
                raise LargePicture
            return _upright(_eight_bits(picture).convert(mode))
    except _BOMBS:
        raise LargePicture from None
    except _FAULTS as fault:
        is_incomplete = "truncated" in str(fault).lower()
        raise IncompletePicture if is_incomplete else UnreadablePicture from None


def _lacks_only_its_end(data: bytes) -> bool:
    """Tell whether a JPEG has all its pixels, so that only the mark of its end is missing.

    Where some are missing, they depend on what follows.
    """
    if not data.startswith(_START):
        return False
    pixels = data.rstrip(b"\xff")  # half of a mark, which would end the noise
    one, other = (_half_the_size(pixels + more + _END) for more in (b"", _NOISE))
    return one is not None and one == other


def _half_the_size(data: bytes) -> bytes | None:
    try:
        with Image.open(BytesIO(data), formats=["JPEG"]) as picture:
            picture.draft("L", (picture.width // 2, picture.height // 2))
            return picture.tobytes()
    except (*_FAULTS, *_BOMBS):
        return None


def _eight_bits(picture: Image.Image) -> Image.Image:
    if picture.mode not in _SIXTEEN_BITS:
        return picture
    return picture.point(lambda shade: shade * _TO_EIGHT_BITS).convert("L")


def _upright(picture: Image.Image) -> Image.Image:
    """Turn the picture as its EXIF data says. If nobody can read that, it stays as it is."""
    try:
        return ImageOps.exif_transpose(picture)
    except _FAULTS:
        return picture
