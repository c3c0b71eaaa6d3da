"""Whether we can seal: a blank page goes the whole way, with production settings.

    problems()   -> what stands in the way, in sentences; it seals, so no page and no verb asks it
    refresh()    try it without the time, and keep what came of it: every minute, and at set-up
    obstacle()   -> why nobody may countersign now, by what was kept; empty when they may
    status()     -> what was kept, with its age, in words for whoever countersigns
    health()     -> the same, for the operators' page
    notices()    -> what will need somebody, but stands in nobody's way yet
    concerns()   -> what stands in the way and what will, for the operators' page
    watch()      once an hour, for the clock: writes what is wrong into the log

A pack must never be countersigned and then wait for a seal that was broken all along. An outage
of the time-stamping authority stops nobody from countersigning: it passes.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from agreements.models import SealCheck
from agreements.pki import revocation, seal_keys, time_stamping
from agreements.verification.trust import trust
from console.core import clock
from console.governance.health_notices import HealthCheck

log = logging.getLogger(__name__)

# Long enough to order another certificate.
NOTICE = timedelta(days=90)
HOUR = timedelta(hours=1)
# Nobody is bound to what may not be sealed: what is known must be as fresh as this.
MAX_AGE = timedelta(minutes=5)
_looked_at: datetime | None = None


def problems(*, with_time: bool = True) -> list[str]:
    """Return what stands in the way of sealing, in words."""
    from agreements.sealing import pdf_seal  # pyHanko takes a second to import

    blank = pdf_seal.blank_page()
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


def refresh() -> None:
    """Try to seal, and keep what came of it for every process."""
    at, found = clock.now(), problems(with_time=False)
    SealCheck.objects.update_or_create(defaults={"at": at, "problem": " ".join(found)}, pk=1)


def obstacle() -> str:
    """Say why nobody may countersign now; empty when they may. Seals nothing."""
    return _obstacle(_latest())


def status() -> str:
    """Say whether documents can be sealed, and how old that is. Seals nothing."""
    check = _latest()
    works = f"Sealing worked at the last check, {_age(check)}."
    return _obstacle(check) or works


def health() -> HealthCheck:
    """Return what was kept."""
    check = _latest()
    return HealthCheck("Sealing", str(check or ""), at=check.at if check else None)


def notices() -> list[str]:
    """Return what does not stand in the way yet."""
    said = [] if revocation.current().checked else [revocation.UNREADABLE]
    try:
        until = seal_keys.seal().certificate.not_valid_after_utc
    except seal_keys.SealMissing:
        return said
    if until - clock.now() < NOTICE:
        said.append(f"The seal's certificate expires on {until:%d %B %Y}.")
    if not settings.SEAL_ROOT_FILE:
        said.append("Documents are sealed under a development root.")
    return said


def concerns() -> list[str]:
    """Return what our operators should know. Seals nothing, and asks nobody outside."""
    check = _latest()
    said = check.problem if check else ""
    return [*dict.fromkeys([*filter(None, [said or _obstacle(check)]), *notices()])]


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


def _obstacle(check: SealCheck | None) -> str:
    if check is None:
        return "We have not checked sealing yet. Try again in a minute."
    if check.problem:
        return f"Sealing failed at the last check, {_age(check)}. Ask an operator to look at it."
    if abs(clock.now() - check.at) > MAX_AGE:
        return (
            f"The last check of sealing was {_age(check)}, which is too long ago. "
            "Ask an operator to look at the background jobs."
        )
    return ""


def _age(check: SealCheck | None) -> str:
    return clock.ago(check.at) if check else "never"


def _latest() -> SealCheck | None:
    return SealCheck.objects.first()
