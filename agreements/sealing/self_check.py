"""Whether we could seal right now: a blank page goes the whole way, with production settings.

    problems()   -> what stands in the way, in sentences; before a countersignature
    notices()    -> what will need somebody, but stands in nobody's way yet
    concerns()   -> both, for the operators' page
    watch()      once an hour, for the clock: writes what is wrong into the log

A pack must never be countersigned and then wait for a seal that was broken all along. An outage
of the time-stamping authority stops nobody from countersigning: it passes.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from io import BytesIO

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from pyhanko.pdf_utils.generic import ArrayObject, NumberObject, StreamObject
from pyhanko.pdf_utils.writer import PageObject, PdfFileWriter

from agreements.pki import revocation, seal_keys, time_stamping
from agreements.sealing import pdf_seal
from agreements.verification.trust import trust
from console.core import clock

log = logging.getLogger(__name__)

# Long enough to order another certificate.
NOTICE = timedelta(days=90)
HOUR = timedelta(hours=1)
_NO_LIST = (
    "The list of withdrawn seals cannot be read, or is not rightly signed. Until it is restored "
    "from a backup, the public page answers “We cannot tell” about every executed file."
)
_looked_at: datetime | None = None


def problems(*, with_time: bool = True) -> list[str]:
    """Return what stands in the way of sealing, in words."""
    blank = _blank_page()
    try:
        used = pdf_seal.tools() if with_time else replace(pdf_seal.tools(), time=None)
        sealed = pdf_seal.seal_pdf(blank, with_=used)
        pdf_seal.check_sealed(blank, sealed.data, trust())
    except (
        seal_keys.SealMissing,
        pdf_seal.SealBroken,
        time_stamping.TimeUnavailable,
        ImproperlyConfigured,
        OSError,
    ) as error:
        return [str(error)]
    return []


def notices() -> list[str]:
    """Return what does not stand in the way yet."""
    said = [] if revocation.current().checked else [_NO_LIST]
    try:
        until = seal_keys.seal().certificate.not_valid_after_utc
    except seal_keys.SealMissing:
        return said
    if until - clock.now() < NOTICE:
        said.append(f"The seal's certificate lapses on {until:%d %B %Y}.")
    if not settings.SEAL_ROOT_FILE:
        said.append("Documents are sealed under a development root.")
    return said


def concerns() -> list[str]:
    """Return what our operators should know. Asks nobody outside."""
    return [*problems(with_time=False), *notices()]


def watch() -> None:
    """Look once an hour, whoever calls however often."""
    global _looked_at
    if _looked_at is not None and clock.now() - _looked_at < HOUR:
        return
    _looked_at = clock.now()
    for problem in problems():
        log.critical("cannot_seal", extra={"problem": problem})
    for notice in notices():
        log.warning("seal_notice", extra={"notice": notice})


@cache
def _blank_page() -> bytes:
    output, writer = BytesIO(), PdfFileWriter()
    contents = writer.add_object(StreamObject(stream_data=b""))
    box = ArrayObject([NumberObject(side) for side in (0, 0, 595, 842)])
    writer.insert_page(PageObject(contents=contents, media_box=box))
    writer.write(output)
    return output.getvalue()
