"""Self-check of sealing: seal a blank page with production settings.

    problems()   -> reasons why sealing fails, as sentences; it seals, so never call it in a request
    refresh()    try it without the time, and save the result: every minute, and at set-up
    obstacle()   -> why nobody can countersign now, from the saved result, or ""
    status()     -> the saved result with its age, for the countersignatory
    health()     -> the saved result, for the operators' page
    notices()    -> what will need attention, but does not prevent sealing yet
    concerns()   -> current problems and notices, for the operators' page
    watch()      hourly, from the scheduler: logs what is wrong

This prevents countersigning a pack that then waits for a broken seal. An outage of the
time-stamping authority does not prevent countersigning, because it is temporary.
"""

import logging
from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from agreements.models import SealCheck
from agreements.pki import revocation, seal_keys, time_stamping
from agreements.verification.trust import trust
from console.core import clock
from console.governance.health_notices import HealthCheck

log = logging.getLogger(__name__)

# Enough time to order a new certificate.
NOTICE = timedelta(days=90)
HOUR = timedelta(hours=1)
# Nobody may countersign if the last check is older than this.
MAX_AGE = timedelta(minutes=5)
_looked_at: datetime | None = None


def problems(*, with_time: bool = True) -> list[str]:
    """Return the reasons why sealing fails, as sentences."""
    from agreements.sealing import pdf_seal  # pyHanko takes a second to import

    blank = pdf_seal.blank_page()
    try:
        used = pdf_seal.tools() if with_time else replace(pdf_seal.tools(), time=None)
        sealed = pdf_seal.seal_pdf(blank, with_=used)
        pdf_seal.check_sealed(blank, sealed, trust())
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
    """Try to seal, and save the result for all processes."""
    at, found = clock.now(), problems(with_time=False)
    SealCheck.objects.update_or_create(defaults={"at": at, "problem": " ".join(found)}, pk=1)


def obstacle() -> str:
    """Return why nobody can countersign now, or "". Does not seal."""
    return _obstacle(_latest())


def status() -> str:
    """Say whether documents can be sealed, and when that was checked. Does not seal."""
    check = _latest()
    works = f"Sealing worked at the last check, {_age(check)}."
    return _obstacle(check) or works


def health() -> HealthCheck:
    """Return the saved result for the operators' page."""
    check = _latest()
    return HealthCheck(_("Sealing"), str(check or ""), at=check.at if check else None)


def notices() -> list[str]:
    """Return what needs attention but does not prevent sealing yet."""
    said = [] if revocation.current().checked else [revocation.UNREADABLE]
    try:
        until = seal_keys.certificate().not_valid_after_utc
    except seal_keys.SealMissing:
        return said
    if until - clock.now() < NOTICE:
        said.append(_("The seal's certificate expires on %(day)s.") % {"day": f"{until:%d %B %Y}"})
    if not settings.SEAL_ROOT_FILE:
        said.append(_("Documents are sealed under a development root."))
    return said


def concerns() -> list[str]:
    """Return what operators should know. Does not seal, and contacts no outside service."""
    check = _latest()
    said = check.problem if check else ""
    return [*dict.fromkeys([*filter(None, [said or _obstacle(check)]), *notices()])]


def watch() -> None:
    """Check at most once an hour, however often this is called."""
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
        return _("We have not checked sealing yet. Try again in a minute.")
    if check.problem:
        return _("Sealing failed at the last check, %(age)s. Ask an operator to look at it.") % {
            "age": _age(check)
        }
    if abs(clock.now() - check.at) > MAX_AGE:
        return _(
            "The last check of sealing was %(age)s, which is too long ago. "
            "Ask an operator to look at the background jobs."
        ) % {"age": _age(check)}
    return ""


def _age(check: SealCheck | None) -> str:
    return clock.ago(check.at) if check else "never"


def _latest() -> SealCheck | None:
    return SealCheck.objects.first()
