"""Turn an uploaded PNG or JPEG file into a small PNG without metadata."""

from io import BytesIO

from PIL import Image, ImageFile, UnidentifiedImageError

from console.core.refusals import Refused

MOST_BYTES = 1024 * 1024
# Checked before decoding, because a small file can hold a huge picture.
MOST_PIXELS = 10_000_000
SIDE = 512
# How a file of each kind ends. Anything after it is hidden behind the picture.
_ENDS = {"PNG": b"IEND\xaeB`\x82", "JPEG": b"\xff\xd9"}
_FAULTS = (
    UnidentifiedImageError,
    OSError,
    SyntaxError,
    ValueError,
    OverflowError,
    EOFError,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
)


class LogoRefused(Refused):
    """The file cannot be a logo. The message says why."""

    code = "logo_refused"
    field = "file"


def as_png(data: bytes) -> bytes:
    """Return the picture as a new PNG of at most SIDE x SIDE pixels."""
    if len(data) > MOST_BYTES:
        raise LogoRefused("Choose a file of at most 1 MB.")
    try:
        picture = _decoded(data)
    except _FAULTS:
        raise LogoRefused("We cannot read this file. Choose a PNG or JPEG picture.") from None
    picture.thumbnail((SIDE, SIDE))
    # Drops the colour profile, which is metadata too.
    picture.info.clear()
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()


def _decoded(data: bytes) -> Image.Image:
    # Importing WeasyPrint sets this for the whole process, and then Pillow accepts damaged files.
    ImageFile.LOAD_TRUNCATED_IMAGES = False
    with Image.open(BytesIO(data), formats=list(_ENDS)) as picture:
        if picture.width * picture.height > MOST_PIXELS:
            raise LogoRefused("This picture is too large. Choose one of at most 10 megapixels.")
        # Cameras write JPEG files with a second picture, which Pillow calls MPO.
        if not data.endswith(_ENDS.get(str(picture.format), _ENDS["JPEG"])):
            raise ValueError("Something follows the picture.")
        return picture.convert("RGBA")
