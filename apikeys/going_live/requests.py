"""Request, propose, decide and confirm going live; every step checks the conditions again."""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from apikeys.going_live import live_readiness
from apikeys.going_live.lifecycle import GO_LIVE_LIFECYCLE, GoLiveStatus
from apikeys.going_live.models import GoLiveRequest
from apikeys.grants import grants
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts import access
from console.accounts.actors import Actor
from console.accounts.models import Business, User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.catalogue import products as catalogue
from console.catalogue.definitions import BASE_PRODUCTS, PRODUCTS
from console.catalogue.products import HeldProducts
from console.core import clock
from console.core.refusals import (
    NotAllowed,
    NotReady,
    ReasonMissing,
    Refused,
    Stale,
    WrongStatus,
)
from console.core.text import says_something
from console.events import outbox as events
from console.shell.modules import May
from onboarding import case_acts
from onboarding.lifecycle import ActKind, ApplicationStatus, Capacity
from onboarding.models import Application


class CannotGoLive(NotReady):
    """A condition is not met; the blockers say which."""


class NothingToAsk(Refused):
    """The request names no product that could go live."""

    code = "nothing_to_ask"


def live_products(business: Business) -> set[str]:
    """Return the business's products that went live."""
    rows = Grant.objects.of(business).filter(environment=Environment.LIVE)
    return {key for held in rows.values_list("live_products", flat=True) for key in held}


def choices(
    business: Business, live: set[str] | None = None, held: HeldProducts | None = None
) -> list[str]:
    """Return the products a business can request: open in its sandbox and not live yet.

    In catalogue order, without the base products, which are added automatically.
    """
    live = live_products(business) if live is None else live
    left = (held or catalogue.held_by(business)).open - live - set(BASE_PRODUCTS)
    return [key for key in PRODUCTS if key in left]


def with_base(
    business: Business, products: Iterable[str], live: set[str] | None = None
) -> list[str]:
    """Return the products plus the base products that are not live yet, in catalogue order."""
    live = live_products(business) if live is None else live
    wanted = {*products, *(set(BASE_PRODUCTS) - live)}
    return [key for key in PRODUCTS if key in wanted]


@transaction.atomic
def ask(business: Business, products: Iterable[str], *, by: User) -> GoLiveRequest:
    """Request products in live; the first request also includes the base products.

    A new request replaces an approved one that is not confirmed.
    """
    business = Business.objects.locked(business)
    access.require(by, Permission.GO_LIVE, business)
    if GoLiveRequest.objects.of(business).filter(status=GoLiveStatus.REQUESTED).exists():
        raise Stale(
            _("Your business already has an open request. Withdraw it before you send a new one.")
        )
    asked = set(products)
    if outside := asked - set(choices(business)) - set(BASE_PRODUCTS):
        names = ", ".join(PRODUCTS[key].name for key in sorted(outside & PRODUCTS.keys()))
        raise NothingToAsk(
            _("You cannot request %(products)s. It is already live or not available to you.")
            % {"products": names or _("this product")}
        )
    wanted = with_base(business, asked - live_products(business))
    if not wanted:
        raise NothingToAsk(_("Choose at least one product."))
    application = _executed(business)
    _require_ready(business, wanted)
    request = GoLiveRequest.objects.create(
        business=business,
        application=application,
        products=wanted,
        requested_by=by,
        requested_at=clock.now(),
    )
    _announce(request, "go_live_request.requested", by=by, products=wanted)
    return request


@transaction.atomic
def withdraw(request: GoLiveRequest, *, by: User) -> GoLiveRequest:
    """Withdraw a request before it is decided."""
    request = _held(request)
    access.require(by, Permission.GO_LIVE, request.business)
    request.withdrawn_by, request.withdrawn_at = by, clock.now()
    return _move(request, GoLiveStatus.WITHDRAWN, by=by)


@transaction.atomic
def propose(request: GoLiveRequest, *, note: str, by: User) -> GoLiveRequest:
    """Propose a request to the head of compliance, with a note for our staff only."""
    request = _held(request)
    access.require(by, Permission.GO_LIVE_PROPOSE)
    act = case_acts.record(
        request.application, ActKind.PROPOSE_LIVE, capacity=Capacity.ACCOUNT_MANAGER,
        note=_said(note), by=by,
    )  # fmt: skip
    if not request.is_open:
        raise WrongStatus(
            _("This request’s status is: %(status)s.") % {"status": request.get_status_display()}
        )
    if request.proposed_at is not None:
        raise Stale(
            _("This request has already been proposed. The head of compliance must decide.")
        )
    _require_ready(request.business, request.products)
    request.proposed_by, request.proposed_at, request.proposal = by, act.at, _said(note)
    request.save()
    _announce(request, "go_live_request.proposed", by=by, note=request.proposal)
    return request


@transaction.atomic
def approve(request: GoLiveRequest, *, reason: str, by: User) -> GoLiveRequest:
    """Approve a request; the business must still confirm it."""
    request = _decided(request, ActKind.APPROVE_LIVE, reason, by)
    GO_LIVE_LIFECYCLE.check(request.status, GoLiveStatus.APPROVED)
    if request.proposed_at is None:
        raise NotReady(_("An account manager must propose this request first."))
    if request.proposed_by == by:
        raise NotAllowed(_("You proposed this request, so somebody else must decide."))
    _require_ready(request.business, request.products)
    return _move(request, GoLiveStatus.APPROVED, by=by)


@transaction.atomic
def decline(request: GoLiveRequest, *, reason: str, by: User) -> GoLiveRequest:
    """Decline a request, with a reason that the business reads. It may request again."""
    request = _decided(request, ActKind.DECLINE_LIVE, reason, by)
    return _move(request, GoLiveStatus.DECLINED, by=by)


@transaction.atomic
def confirm(request: GoLiveRequest, *, by: User) -> GoLiveRequest:
    """Open live for the products of an approved request, on behalf of the business."""
    request = _held(request)
    access.require(by, Permission.GO_LIVE, request.business)
    if request.confirmed_at is not None:
        raise Stale(_("This request is already confirmed. Live is open."))
    if not request.waits_for_confirmation or _is_overtaken(request):
        raise WrongStatus(_("You cannot confirm this request. Open your newest request."))
    if by in (request.proposed_by, request.decided_by):
        raise NotAllowed(
            _("You reviewed this request as our staff, so somebody else must confirm it.")
        )
    _require_ready(request.business, request.products)
    request.confirmed_by, request.confirmed_at = by, clock.now()
    request.save()
    _announce(request, "go_live_request.confirmed", by=by, products=request.products)
    grants.open_live(request.business, request.products, by=by)
    return request


def _decided(request: GoLiveRequest, kind: ActKind, reason: str, by: User) -> GoLiveRequest:
    """Return the locked request with the decision set, or refuse if `by` may not decide."""
    request = _held(request)
    access.require(by, Permission.GO_LIVE_DECIDE)
    said = _said(reason)
    act = case_acts.record(request.application, kind, note=said, by=by)
    request.decided_by, request.decided_at, request.decision_reason = by, act.at, said
    return request


def _held(request: GoLiveRequest) -> GoLiveRequest:
    Business.objects.locked(request.business)
    return GoLiveRequest.objects.locked(request)


def _executed(business: Business) -> Application:
    executed = Application.objects.of(business).filter(status=ApplicationStatus.EXECUTED)
    application = executed.first()
    if application is None:
        raise CannotGoLive(_("The agreement must be executed first."))
    return application


def _is_overtaken(request: GoLiveRequest) -> bool:
    return GoLiveRequest.objects.of(request.business).filter(pk__gt=request.pk).exists()


def _require_ready(business: Business, products: Iterable[str]) -> None:
    if missing := live_readiness.blockers(business, list(products)):
        raise CannotGoLive(_("Some requirements for live are not met."), blockers=missing)


def _said(words: str) -> str:
    if not says_something(words):
        raise ReasonMissing(_("Enter a reason."))
    return words.strip()


def _move(request: GoLiveRequest, to: GoLiveStatus, *, by: Actor) -> GoLiveRequest:
    """Change the status, and record and publish the change."""
    was = request.status
    GO_LIVE_LIFECYCLE.check(was, to)
    request.status = to
    request.save()
    _announce(
        request, f"go_live_request.{to}", by=by,
        before={"status": str(was)}, after={"status": str(to)}, reason=request.decision_reason,
    )  # fmt: skip
    return request


def _announce(request: GoLiveRequest, code: str, *, by: Actor, **details: Any) -> None:
    audit.record(code, request, by=by, **details)
    events.publish(code, request, business=request.business.public_id)


def waiting(person: Any, may: May) -> QuerySet[GoLiveRequest]:
    """Return the requests that this person proposes or decides next."""
    wanted = Q(pk=None)
    if may(Permission.GO_LIVE_PROPOSE):
        wanted |= Q(proposed_by=None)
    if may(Permission.GO_LIVE_DECIDE):
        wanted |= Q(proposed_by__isnull=False) & ~Q(proposed_by=person)
    return GoLiveRequest.objects.filter(wanted, status=GoLiveStatus.REQUESTED)
