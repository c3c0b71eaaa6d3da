"""Which sanctions lists can be used now, and what is wrong with the others."""

from dataclasses import dataclass
from datetime import timedelta

from django.conf import settings
from django.template.defaultfilters import date
from django.utils.translation import gettext as _

from console.core import clock
from console.governance.health_notices import HealthCheck
from onboarding.screening.models import ListDownload, ListKind, ListName, ListVersion
from onboarding.screening.names import KEYS_VERSION


@dataclass(frozen=True)
class ListState:
    """A list that is in force or should be. `problem` is why it cannot be used, or ""."""

    kind: ListKind
    version: ListVersion | None
    problem: str

    @property
    def age(self) -> str:
        return clock.ago(self.version.checked_at) if self.version else ""


def lists_state() -> list[ListState]:
    """Return every list that is in force or is set to be downloaded, in the order of their kinds.

    Screening needs all of them. Without any, or with an unusable one, nobody can pass.
    """
    found = {one.kind: one for one in ListVersion.objects.in_force()}
    reindexed = _kinds_to_index()
    return [
        ListState(kind, found.get(kind), _problem(kind, found.get(kind), reindexed))
        for kind in ListKind
        if kind in found or kind in settings.SCREENING_LISTS
    ]


def unusable() -> str:
    """Return why nobody can be screened now, as a sentence for staff, or ""."""
    states = lists_state()
    if not states:
        return _("No sanctions list has been imported.")
    return next((one.problem for one in states if one.problem), "")


def _problem(kind: ListKind, version: ListVersion | None, reindexed: set[str]) -> str:
    if version is None:
        return _("The list “%(list)s” has not been imported.") % {"list": kind.label}
    if clock.now() - version.checked_at > timedelta(days=settings.SCREENING_LIST_DAYS):
        return _("The list “%(list)s” was last confirmed on %(date)s, which is too long ago.") % {
            "list": kind.label,
            "date": date(version.checked_at, "j F Y"),
        }
    if kind in reindexed:
        return _("The names of the list “%(list)s” are being indexed again.") % {"list": kind.label}
    return ""


def _kinds_to_index() -> set[str]:
    """Return the lists with names whose keys were made by an earlier version."""
    old = ListName.objects.filter(keys_version__lt=KEYS_VERSION)
    return set(old.values_list("entry__kind", flat=True).distinct())


def concerns() -> list[str]:
    """Return what operators should know: unusable lists, refused files and failed downloads."""
    newest = ListVersion.objects.order_by("kind", "-pk").distinct("kind")
    refused = [
        _("A file of the list “%(list)s” was refused on %(date)s: %(reason)s")
        % {
            "list": one.get_kind_display(),
            "date": date(one.checked_at, "j F Y"),
            "reason": one.refused_because,
        }
        for one in newest
        if one.refused_because
    ]
    failed = [
        _("The list “%(list)s” could not be downloaded: %(error)s.")
        % {"list": one.get_kind_display(), "error": one.error}
        for one in ListDownload.objects.exclude(error="").order_by("kind")
    ]
    return [*(one.problem for one in lists_state() if one.problem), *refused, *failed]


def health() -> HealthCheck:
    """Return how many lists are in force, and when the least recent one was confirmed."""
    states = lists_state()
    checked = [one.version.checked_at for one in states if one.version]
    usable = sum(not one.problem for one in states)
    outcome = _("%(usable)d of %(all)d usable.") % {"usable": usable, "all": len(states)}
    return HealthCheck(_("Sanctions lists"), outcome, min(checked, default=None))
