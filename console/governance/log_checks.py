"""Nightly jobs for the audit log: publish the chain's head, and verify the whole chain.

Both results are e-mailed to the auditors. A broken chain also appears on *Background work*.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.template.defaultfilters import date
from django.utils.translation import gettext as _

from console.accounts import staff
from console.accounts.actors import Actor
from console.accounts.roles import Role
from console.audit import chain_checks, heads
from console.core import blobs, clock
from console.core.status_table import Tone
from console.events import outbox as events
from console.events.models import Event
from console.governance.health_notices import HealthCheck
from console.shell import mail

# One missed night is tolerated; a second in a row needs attention.
PATIENCE = timedelta(hours=50)
# A finding stays visible for this long, whatever later checks find.
IN_SIGHT = timedelta(days=7)


def publish_head(*, by: Actor) -> None:
    """Publish the chain's head, once a day."""
    today = clock.now().date().isoformat()
    end = heads.anchor()
    with transaction.atomic():
        if not heads.is_published(heads.Channel.NIGHTLY, today):
            head = heads.publish(heads.Channel.NIGHTLY, about=today, by=by, head=end)
            events.publish("audit.head_published", head)


def check_chain() -> None:
    """Compare the chain with every published head, once a day. Reads the whole log."""
    last = chain_checks.last()
    if last is None or last.at.date() < clock.now().date():
        _keep(heads.compare())


@transaction.atomic
def _keep(found: heads.Comparison) -> None:
    check = heads.keep_check(found)
    if check.found:
        events.publish("audit.chain_broken", check)


def concerns() -> list[str]:
    """Return notices about the audit log."""
    try:
        return _of_checking() + _of_publishing()
    except blobs.StoreUnavailable as fault:
        return [str(fault)]


def _of_checking() -> list[str]:
    last, broken = chain_checks.last(), chain_checks.last_broken(clock.now() - IN_SIGHT)
    said = []
    if broken is not None:
        said.append(
            _(
                "The audit log does not agree with what was published: %(count)d findings on "
                "%(date)s, the first: %(first)s. Nothing was repaired."
            )
            % {
                "count": broken.found,
                "date": date(broken.at, "j F Y"),
                "first": broken.findings[0],
            }
        )
    began = last.at if last is not None else heads.first_published_at()
    if began is not None and clock.now() - began > PATIENCE:
        said.append(
            _("The audit log was not checked since %(date)s.") % {"date": date(began, "j F Y")}
        )
    return said


def _of_publishing() -> list[str]:
    """Return notices about publishing heads; none before the first night."""
    last, said = heads.last_night(), []
    if last is not None and clock.now() - last.at > PATIENCE:
        said.append(
            _("We have not published a head of the audit log since %(date)s.")
            % {"date": date(last.at, "j F Y")}
        )
    if last is not None and not staff.addresses_of(Role.AUDITOR):
        said.append(_("Nobody is an auditor, so nobody gets the published heads of the audit log."))
    return said


@dataclass(frozen=True)
class ChainState:
    """Whether the chain was intact when it was last verified, in words, with their tone."""

    words: str
    tone: Tone
    icon: str
    at: datetime | None = None


def chain_state() -> ChainState:
    """Return what the nightly checks found. A finding is shown for a week."""
    try:
        last = chain_checks.last()
        broken = chain_checks.last_broken(clock.now() - IN_SIGHT)
    except blobs.StoreUnavailable:
        return ChainState(_("The checks cannot be read now"), "warning", "triangle-alert")
    if broken is not None:
        return ChainState(_("The chain is broken"), "danger", "octagon-x", broken.at)
    if last is None:
        return ChainState(_("The chain is not verified yet"), "neutral", "clock")
    if clock.now() - last.at > PATIENCE:
        return ChainState(_("The chain was not verified lately"), "warning", "clock", last.at)
    return ChainState(_("The chain is intact"), "ok", "shield-check", last.at)


def health() -> HealthCheck:
    """Return the result of the last nightly check."""
    try:
        last = chain_checks.last()
    except blobs.StoreUnavailable:  # `concerns` says so
        last = None
    outcome = ""
    if last is not None:
        outcome = (
            _("%(count)d findings.") % {"count": last.found}
            if last.found
            else _("It agrees with what was published.")
        )
    return HealthCheck(_("The audit log"), outcome, at=last.at if last else None)


def tell_head(event: Event) -> None:
    """E-mail the chain's head to the auditors, for them to keep."""
    _tell("audit_head", {"head": heads.published().get(public_id=event.subject_id)})


def tell_broken(event: Event) -> None:
    """E-mail a nightly check's findings to the auditors."""
    _tell("audit_chain_broken", {"check": chain_checks.rows().get(public_id=event.subject_id)})


def _tell(template: str, context: dict[str, object]) -> None:
    for address in staff.addresses_of(Role.AUDITOR):
        mail.send(template, address, context)
