"""Decode PNG and JPEG pictures that strangers upload."""

from io import BytesIO

from PIL import Image, ImageFile, UnidentifiedImageError

# How a file of each kind ends. Anything after it is hidden behind the picture.
_ENDS = {"PNG": b"IEND\xaeB`\x82", "JPEG": b"\xff\xd9"}
_FAULTS = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,
    ValueError,
    OverflowError,
    EOFError,
)
_BOMBS = (Image.DecompressionBombError, Image.DecompressionBombWarning)


class UnreadablePicture(Exception):
    """The file is not a complete PNG or JPEG picture."""


class LargePicture(Exception):
    """The picture has more pixels than allowed."""


def decoded(data: bytes, *, most_pixels: int, mode: str) -> Image.Image:
    """Return the picture in this mode. Check its size first: a small file can hold a huge one."""
    # Importing WeasyPrint sets this for the whole process, and then Pillow accepts damaged files.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        with Image.open(BytesIO(data), formats=list(_ENDS)) as picture:
            if picture.width * picture.height > most_pixels:
                raise LargePicture
            # Cameras write JPEG files with a second picture, which Pillow calls MPO.
            if not data.endswith(_ENDS.get(str(picture.format), _ENDS["JPEG"])):
                raise UnreadablePicture
            return picture.convert(mode)
    except _BOMBS:
        raise LargePicture from None
    except _FAULTS:
        raise UnreadablePicture from None
