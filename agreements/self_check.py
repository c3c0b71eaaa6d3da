"""Whether we could seal right now: a blank page goes the whole way, with production settings.

    problems()   -> sentences for the operator, empty when all is well; for the health page
    require()    raises SealingNotReady; for the start of a worker, and every hour

A pack must never be countersigned and then wait for a seal that was broken all along.
"""

from datetime import timedelta
from functools import cache
from io import BytesIO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pyhanko.pdf_utils.generic import ArrayObject, NumberObject, StreamObject
from pyhanko.pdf_utils.writer import PageObject, PdfFileWriter

from agreements import pki, sealing, time_stamping
from agreements.trust import trust
from console.core import clock

# Long enough to order another certificate.
NOTICE = timedelta(days=90)


class SealingNotReady(Exception):
    """A worker may not start: it could not seal."""


def problems() -> list[str]:
    """Return what stands in the way of sealing, in words."""
    try:
        used = sealing.tools()
        blank = _blank_page()
        sealed = sealing.seal_pdf(blank, with_=used)
        sealing.check_sealed(blank, sealed.data, trust())
    except (
        pki.SealMissing,
        sealing.SealBroken,
        time_stamping.TimeUnavailable,
        ImproperlyConfigured,
        OSError,
    ) as error:
        return [str(error)]
    return []


def notices() -> list[str]:
    """Return what does not stand in the way yet."""
    try:
        until = pki.seal().certificate.not_valid_after_utc
    except pki.SealMissing:
        return []
    said = []
    if until - clock.now() < NOTICE:
        said.append(f"The seal's certificate lapses on {until:%d %B %Y}.")
    if not settings.SEAL_ROOT_FILE:
        said.append("Papers are sealed under a development root.")
    return said


def require() -> None:
    """Refuse to go on when sealing does not work."""
    if found := problems():
        raise SealingNotReady(" ".join(found))


@cache
def _blank_page() -> bytes:
    output, writer = BytesIO(), PdfFileWriter()
    contents = writer.add_object(StreamObject(stream_data=b""))
    box = ArrayObject([NumberObject(side) for side in (0, 0, 595, 842)])
    writer.insert_page(PageObject(contents=contents, media_box=box))
    writer.write(output)
    return output.getvalue()
