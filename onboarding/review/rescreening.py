"""Screen known parties against what a new version of a list added or changed.

If names are compared otherwise than before, everybody's check is run again.

Each party is a row that waits, so the job continues where it stopped. Only the checks of parties
with a similar name are run again. Other checks stay as they are, so nothing changes for a business.
"""

import logging
import time
from contextlib import suppress
from itertools import islice

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from console.accounts.actors import SYSTEM, Actor
from console.core import clock
from console.core.refusals import WrongStatus
from console.governance.health_notices import HealthCheck
from console.publishing import in_use
from onboarding.checks import connected, list_screening, required_checks, runs
from onboarding.lifecycle import CHECK_LIFECYCLE, CHECKED, CheckStatus
from onboarding.models import Check
from onboarding.models.check import CheckKind
from onboarding.screening import search
from onboarding.screening.model import MODELS
from onboarding.screening.models import ListVersion, Rescreening, WaitingParty
from onboarding.screening.scoring import ScorerDown

log = logging.getLogger(__name__)
# A match that was confirmed stays as it is, and other checks are run with the current lists anyway.
_RUN_AGAIN = (CheckStatus.PASSED, CheckStatus.NEEDS_REVIEW, CheckStatus.WAIVED)
# These wait until they can run again: until their worker, their reviewer or their waiver ends.
_NOT_YET = [
    CheckStatus.RUNNING,
    *(one for one in _RUN_AGAIN if not CHECK_LIFECYCLE.allows(one, CheckStatus.RUNNING)),
]
_AT_ONCE = 50
# How many checks are run again each minute because names are compared differently.
_OTHERWISE = 500
# This many in a row mean that the scorer is down, and not that one name is difficult.
_MOST_FAILED = 3
# The job starts every minute, and leaves half of it to others.
_SECONDS = 30.0


def rescreen() -> None:
    """Screen waiting parties for half a minute. Scheduled."""
    until = time.monotonic() + _SECONDS
    run_otherwise_compared(by=SYSTEM)
    ever_in_force = ListVersion.objects.exclude(in_force_from=None)
    for version in ever_in_force.filter(rescreening=None).order_by("pk"):
        begin(version, by=SYSTEM)
    for rescreening in Rescreening.objects.filter(ended_at=None).order_by("pk"):
        # Their applications have ended, or were submitted again and screened then.
        rescreening.waiting.exclude(
            screening__application__status__in=CHECKED,
            screening__submission=F("screening__application__submission"),
        ).delete()
        position = 0
        while time.monotonic() < until and (position := _screen_some(rescreening, position)):
            pass
        if not rescreening.waiting.exists():
            Rescreening.objects.filter(pk=rescreening.pk).update(ended_at=clock.now())


def run_otherwise_compared(*, by: Actor) -> None:
    """Run the checks again that compared names by another model or other keys than now."""
    if connected.unusable_lists():
        return
    now = list_screening.compared_by(in_use.current(MODELS).version)
    checks = Check.objects.filter(
        kind=CheckKind.SCREENING,
        provider=list_screening.ListScreening.name,
        status__in=_RUN_AGAIN,
        finished_at__isnull=False,
    ).newest_of(CHECKED)
    for check in checks.exclude(status__in=_NOT_YET).exclude(evidence__contains=now)[:_OTHERWISE]:
        runs.again(check, by=by)


@transaction.atomic
def begin(version: ListVersion, *, by: Actor) -> Rescreening:
    """Queue every party that may have been screened before this version was in force."""
    checks = Check.objects.filter(kind=CheckKind.SCREENING).newest_of(CHECKED)
    rescreening = Rescreening.objects.create(
        version=version, party_count=checks.count(), began_at=clock.now()
    )
    pks = checks.order_by("pk").values_list("pk", flat=True).iterator()
    while some := list(islice(pks, 1000)):
        WaitingParty.objects.bulk_create(
            WaitingParty(rescreening=rescreening, screening_id=pk) for pk in some
        )
    return rescreening


def _screen_some(rescreening: Rescreening, after: int) -> int:
    """Screen the next parties, and return the key of the last one, or 0 if there were none."""
    ready = rescreening.waiting.exclude(screening__status__in=_NOT_YET).filter(pk__gt=after)
    parties = ready.select_related("screening__submission").order_by("pk")[:_AT_ONCE]
    position, failed = 0, 0
    for party in parties:
        check = party.screening
        # Without an end, another run is requested already.
        is_open = check.status in _RUN_AGAIN and check.finished_at is not None
        position = party.pk
        try:
            is_similar = is_open and _resembles_an_entry(check, rescreening.version)
        except ScorerDown as down:
            # It waits for the next time, and the others continue.
            log.warning("rescreening_failed", extra={"check": check.public_id, "why": str(down)})
            if (failed := failed + 1) == _MOST_FAILED:
                return 0
            continue
        # Somebody may have decided or requested a run meanwhile: then it waits for the next time.
        with suppress(WrongStatus):
            _settle(party, is_similar=is_similar, by=SYSTEM)
    return position


@transaction.atomic
def _settle(party: WaitingParty, *, is_similar: bool, by: Actor) -> None:
    if is_similar:
        runs.again(party.screening, by=by)
        matched = Rescreening.objects.filter(pk=party.rescreening_id)
        matched.update(match_count=F("match_count") + 1)
    party.delete()


def _resembles_an_entry(check: Check, version: ListVersion) -> bool:
    """Tell whether the version added or changed an entry that may be this party."""
    party = list_screening.party_of(required_checks.inquiry_of(check))
    return bool(search.screen(party, since=version).found)


def health() -> HealthCheck:
    """Return the progress of the newest screening."""
    last = Rescreening.objects.select_related("version").order_by("-pk").first()
    label = _("Screening against new list versions")
    if last is None:
        return HealthCheck(label, "", None)
    outcome = _("%(done)d of %(all)d parties against %(list)s, %(matches)d run again.") % {
        "done": last.party_count - last.waiting.count(),
        "all": last.party_count,
        "list": last.version.get_kind_display(),
        "matches": last.match_count,
    }
    return HealthCheck(label, outcome, last.ended_at or last.began_at)
