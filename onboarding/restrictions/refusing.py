"""Refusal of restricted places, using the list currently in force."""

from collections.abc import Iterable

from django.utils.translation import gettext as _

from console.core import clock
from console.core.refusals import Blocker, ComplianceBlocked, NotReady
from onboarding.restrictions import list_versions
from onboarding.restrictions.restricted_list import (
    ListUnreadable,
    RestrictedEntry,
    RestrictedList,
    StatedPlace,
)


class CannotTell(NotReady):
    """The list cannot be read, so nothing is accepted."""

    code = "restricted_list_unreadable"


def current() -> RestrictedList:
    """Return the list in use now, or raise CannotTell: without it nothing is accepted."""
    try:
        return list_versions.in_force()
    except ListUnreadable as unreadable:
        raise CannotTell(
            _(
                "Nothing was saved, because we cannot check countries at the moment. Try again "
                "in a few minutes."
            )
        ) from unreadable


def find(places: Iterable[StatedPlace]) -> list[tuple[StatedPlace, RestrictedEntry]]:
    """Return the places that the list in force restricts today."""
    return current().find(places, on=clock.now().date())


def require_none(places: Iterable[StatedPlace]) -> None:
    """Raise ComplianceBlocked if any of the places is restricted."""
    if found := find(places):
        raise ComplianceBlocked(
            words(found[0][1]),
            blockers=[Blocker(place.path, words(entry)) for place, entry in found],
        )


def words(entry: RestrictedEntry) -> str:
    """Return the refusal: what, that it applies to everyone, the list's version, what to do."""
    version = current().version
    return _(
        "We cannot offer this service for %(name)s. This rule applies to everyone "
        "(code COMPLIANCE_BLOCKED, list %(version)s). If you chose it by mistake, "
        "change the answer. If you have questions, write to us."
    ) % {"name": entry.name, "version": version}
