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
        with Image.open(BytesIO(data), formats=["PNG", "JPEG"]) as picture:
            if picture.width * picture.height > most_pixels:
                raise LargePicture
            return _upright(_eight_bits(picture).convert(mode))
    except _BOMBS:
        raise LargePicture from None
    except _FAULTS as fault:
        is_incomplete = "truncated" in str(fault).lower()
        raise IncompletePicture if is_incomplete else UnreadablePicture from None


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
