"""Change what a business sets for its payment pages: localhost in the sandbox, and the logo."""

import zlib
from functools import partial
from typing import Any

from django.db import transaction

from api.checkout import logos
from api.checkout.models import CheckoutSettings
from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import Business
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import blobs
from console.core.digests import sha256_hex
from console.events import outbox as events
from console.events import work_claims


def of(business: Business) -> CheckoutSettings:
    """Return the settings of a business, or the defaults, unsaved."""
    found = CheckoutSettings.objects.filter(business=business).first()
    return found or CheckoutSettings(business=business)


@transaction.atomic
def allow_localhost(business: Business, *, allowed: bool, by: Actor) -> None:
    """Let localhost show sandbox payments of a business, or no longer. Idempotent."""
    row = _locked(business, by)
    if row.allows_localhost != allowed:
        row.allows_localhost = allowed
        row.save(update_fields=["allows_localhost"])
        _announce(
            row, "checkout.localhost_allowed" if allowed else "checkout.localhost_refused", by=by
        )


def set_logo(business: Business, data: bytes, *, by: Actor) -> None:
    """Set the logo from an uploaded file. The same file again changes nothing."""
    access.require(by, Permission.CHECKOUT_EDIT, business)
    png = logos.as_png(data)
    with transaction.atomic():
        _lock_file(sha256_hex(png))
        _set_logo(business, blobs.put(png, logos.FOLDER), by=by)


@transaction.atomic
def remove_logo(business: Business, *, by: Actor) -> None:
    """Remove the logo, so that payers see initials. Idempotent."""
    _set_logo(business, "", by=by)


@transaction.atomic
def _set_logo(business: Business, sha256: str, *, by: Actor) -> None:
    row = _locked(business, by)
    if row.logo != sha256:
        was, row.logo = row.logo, sha256
        row.save(update_fields=["logo"])
        if was:
            transaction.on_commit(partial(_delete_unused, was), robust=True)
        _announce(
            row,
            "checkout.logo_set" if sha256 else "checkout.logo_removed",
            by=by,
            was=was,
            sha256=sha256,
        )


@transaction.atomic
def _delete_unused(sha256: str) -> None:
    """Delete the file of a replaced logo, unless a business uses it."""
    _lock_file(sha256)
    if not CheckoutSettings.objects.filter(logo=sha256).exists():
        blobs.delete(sha256, logos.FOLDER)


def _lock_file(sha256: str) -> None:
    """Let nobody delete or store this logo until the transaction ends."""
    work_claims.lock(work_claims.LOGOS, zlib.crc32(sha256.encode()))


def _locked(business: Business, by: Actor) -> CheckoutSettings:
    access.require(by, Permission.CHECKOUT_EDIT, business)
    row, _created = CheckoutSettings.objects.get_or_create(business=business)
    rows = CheckoutSettings.objects.select_for_update(no_key=True, of=("self",))
    return rows.select_related("business").get(pk=row.pk)


def _announce(row: CheckoutSettings, code: str, *, by: Actor, **details: Any) -> None:
    audit.record(code, row.business, by=by, business=row.business, **details)
    events.publish(code, row.business, **details)
