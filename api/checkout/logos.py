"""Turn an uploaded PNG or JPEG file into a small PNG without metadata, in a folder of its own."""

from io import BytesIO

from console.core import pictures
from console.core.refusals import Refused

MOST_BYTES = 1024 * 1024
MOST_PIXELS = 10_000_000
SIDE = 512
# In the document store. A hash names no other kind of file here.
FOLDER = "logos"


class LogoRefused(Refused):
    """The file cannot be a logo. The message says why."""

    code = "logo_refused"
    field = "file"


def as_png(data: bytes) -> bytes:
    """Return the picture as a new PNG of at most SIDE x SIDE pixels."""
    if len(data) > MOST_BYTES:
        raise LogoRefused("Choose a file of at most 1 MB.")
    try:
        picture = pictures.decoded(data, most_pixels=MOST_PIXELS, mode="RGBA")
    except pictures.LargePicture:
        words = "This picture is too large. Choose one of at most 10 megapixels."
        raise LogoRefused(words) from None
    except pictures.UnreadablePicture:
        raise LogoRefused("We cannot read this file. Choose a PNG or JPEG picture.") from None
    picture.thumbnail((SIDE, SIDE))
    # Drops the colour profile, which is metadata too.
    picture.info.clear()
    written = BytesIO()
    picture.save(written, "PNG")
    return written.getvalue()
