"""Scheduled work on sanctions lists: download them, and index names again."""

import logging
from collections import Counter
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from console.accounts.actors import SYSTEM, Actor
from console.audit import log as audit
from console.core import clock
from onboarding.screening import imports, sources
from onboarding.screening.formats.parties import UnusableList
from onboarding.screening.models import ListDownload, ListKind, ListName, ListVersion
from onboarding.screening.names import KEYS_VERSION, name_keys, normal_form

# How often we ask for a list, and how soon after a failure.
EVERY = timedelta(hours=6)
AGAIN_AFTER = timedelta(minutes=30)
_AT_ONCE = 1000


log = logging.getLogger(__name__)


def download_due() -> None:
    """Download the lists in the settings that are due. Scheduled."""
    now = clock.now()
    recent = Q(attempted_at__gt=now - AGAIN_AFTER) | Q(error="", attempted_at__gt=now - EVERY)
    done = set(ListDownload.objects.filter(recent).values_list("kind", flat=True))
    for kind, url in settings.SCREENING_LISTS.items():
        if kind not in done:
            download(ListKind(kind), url, by=SYSTEM)


def download(kind: ListKind, url: str, *, by: Actor) -> str:
    """Download and import one list, note the attempt, and return its error or ""."""
    try:
        fetch(kind, url, by=by)
        error = ""
    except sources.SourceUnreachable as unreachable:
        error = str(unreachable)
    except Exception as failure:
        log.exception("list_download_failed", extra={"list": kind})
        error = type(failure).__name__
    ListDownload.objects.update_or_create(
        kind=kind, defaults={"attempted_at": clock.now(), "error": error}
    )
    return error


def fetch(kind: ListKind, source: str, *, accepts_loss: bool = False, by: Actor) -> ListVersion:
    """Import a list from a path or a URL and return the version: in force, new or refused."""
    current = ListVersion.objects.filter(kind=kind).in_force().first()
    known = current.validators if current is not None else {}
    try:
        with sources.staged(kind, source, known=known) as staged:
            if staged is not None:
                return imports.import_list(kind, staged, accepts_loss=accepts_loss, by=by)
    except UnusableList as unusable:
        return imports.refuse(kind, source, "", str(unusable), by=by)
    assert current is not None, "Only a version in force has validators."
    return imports.confirm(current)


def index_again() -> None:
    """Index names again whose keys were made by an earlier version. Scheduled, resumable."""
    old = ListName.objects.filter(keys_version__lt=KEYS_VERSION).order_by("pk")
    while names := list(old.select_related("entry")[:_AT_ONCE]):
        for one in names:
            one.normal, one.keys = normal_form(one.name), name_keys(one.name)
            one.keys_version = KEYS_VERSION
        with transaction.atomic():
            ListName.objects.bulk_update(names, ["normal", "keys", "keys_version"])
            for kind, count in Counter(one.entry.kind for one in names).items():
                version = ListVersion.objects.filter(kind=kind).latest("pk")
                audit.record(
                    "sanctions_list.indexed_again", version, by=SYSTEM,
                    list=kind, names=count, keys_version=KEYS_VERSION,
                )  # fmt: skip
