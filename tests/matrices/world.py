"""Two executed businesses, people of every role, and an object for every address."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet
from django.test import Client

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from api.checkout import checkout_settings, domains
from api.checkout.models import CheckoutDomain
from api.payments import orders
from api.payments.models import Order
from apikeys.allowlist import allowlist
from apikeys.going_live.models import GoLiveRequest
from apikeys.models import ApiKey, Grant, NetworkRequest, RequestLog
from apikeys.webhooks import deliveries
from apikeys.webhooks.models import WebhookDelivery, WebhookEndpoint
from console.accounts import email_changes, members, recipients, signup
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, EmailChange, Invitation, Passkey, Session, User
from console.accounts.roles import BUSINESS, STAFF, Role
from console.core import clock
from onboarding.evidence import files
from onboarding.evidence.models import EvidenceFile
from onboarding.information.models import InformationItem, InformationRequest
from onboarding.matches.models import MatchDecision
from onboarding.models import Application, Check
from onboarding.questionnaire.loading import EDITIONS
from tests import factories
from tests.api.checkout.files import a_logo
from tests.apikeys.going_live import world as going_live
from tests.apikeys.webhooks.world import an_endpoint
from tests.apikeys.world import a_key
from tests.onboarding.evidence.documents import a_pdf
from tests.onboarding.information.asking import a_request
from tests.onboarding.screening import listed


@dataclass(frozen=True)
class World:
    """Businesses, people and values for addresses; pages are requested for `ours`."""

    ours: Business
    theirs: Business
    people: dict[str, User]
    stranger: User
    values: dict[str, Any]
    others: dict[str, Any]


def build(*, alone: bool = False) -> World:
    """Create two businesses (or one) with an executed pack and a key, and people of every role."""
    ours, values = _a_tenant()
    theirs, others = (ours, dict(values)) if alone else _a_tenant()
    people = {str(role): factories.a_member(ours, role) for role in BUSINESS if role != Role.OWNER}
    people[str(Role.OWNER)] = factories.owner_of(ours)
    people |= {str(role): factories.one_of_staff(role) for role in STAFF}
    proposal = factories.proposed(EDITIONS, EDITIONS.versions()[0], by=people[str(Role.COMPLIANCE)])
    values |= {"person_id": people["viewer"].public_id, "publication_id": proposal.public_id}
    others |= {"person_id": factories.a_member(theirs, Role.VIEWER).public_id}
    return World(ours, theirs, people, factories.owner_of(theirs), values, others)


def client_of(person: User | None) -> Client:
    client = Client(headers={"User-Agent": "matrix"})
    return factories.signed_in(client, person) if person else client


def an_order(business: Business) -> Order:
    """Create an order as the API does."""
    customer = {"first_name": "Ngozi", "email": "ngozi@payer.example"}
    order = Order(
        business=business, environment="sandbox", reference="INV-2026-118", amount=1_250_050,
        currency="NGN", customer=customer,
    )  # fmt: skip
    return orders.create(order, by=SYSTEM)


def _a_tenant() -> tuple[Business, dict[str, Any]]:
    pack: Pack = factories.a_pack(at=PackStatus.EXECUTED)
    factories.settle()
    business, owner = pack.business, factories.owner_of(pack.business)
    grant = Grant.objects.get(business=business, environment="sandbox")
    key, _ = a_key(grant, scopes=tuple(grant.scopes()))
    members.invite(business, email="invited@example.com", role=Role.VIEWER, by=owner)
    allowlist.ask(grant, "10.0.0.0/8", reason="Our data centre.", by=owner)
    RequestLog.objects.create(
        at=clock.now(), request_id=f"req_{business.pk:026x}", business=business,
        key_id=key.public_id, environment="sandbox", method="GET", path="/me", status=403,
        code="IP_NOT_ALLOWED", ip="10.1.2.3", microseconds=900,
    )  # fmt: skip
    endpoint, _ = an_endpoint(business)
    deliveries.ping(endpoint, by=owner)
    domains.add(business, "shop.example.com", by=owner)
    # A token that has expired is not looked for, so no page asks the network.
    own = CheckoutDomain.objects.filter(business=business)
    factories.change(own, token_expires_at=clock.now())
    checkout_settings.set_logo(business, a_logo(), by=owner)
    evidence = {"name": "a.pdf", "kind": "passport"}
    files.add(pack.application, a_pdf(), **evidence, by=owner)
    a_request(pack.application)
    factories.a_passkey(owner)
    factories.signed_in(Client(), owner)
    an_order(business)
    going_live.asked(business)
    email_changes.ask(owner, f"new-{owner.email}", by=owner)
    checks = Check.objects.filter(application__business=business, kind="screening")
    listed.a_cleared_match(checks.in_order()[0])
    return business, values_of(business)


def values_of(business: Business) -> dict[str, Any]:
    """Return the address parameters for the business's pages, by name."""
    owner = factories.owner_of(business)
    found = {name: rows.order_by("pk").first() for name, rows in _rows(business, owner).items()}
    values = {name: row.public_id for name, row in found.items() if row}
    if pack := Pack.objects.of(business).order_by("-pk").first():
        values["number"] = pack.number
        if pack.revision and (documents := pack.revision.documents.in_order()):
            values["document_id"] = documents[0].public_id
    if call := RequestLog.objects.filter(business=business).order_by("pk").first():
        values["request_id"] = call.request_id
    if "endpoint_id" in values:
        values["row_id"] = values["endpoint_id"]
    # A check that ran again no longer names its older matches.
    decisions = MatchDecision.objects.filter(decided_check__application__business=business)
    if decision := decisions.order_by("-pk").first():
        values["onboarding:decide_match"] = {
            "check_id": decision.decided_check.public_id,
            "match_id": decision.match.public_id,
        }
    if invitation := found["invitation_id"]:
        token = {"token": members.invitation_token(invitation)}
        values |= {"accounts:invitation": token, "accounts:accept": token}
    if change := EmailChange.objects.filter(person=owner).first():
        values |= {
            "accounts:confirm_new_email": {"token": email_changes.confirmation_token(change)},
            "accounts:object_to_email": {"token": email_changes.objection_token(change)},
        }
    return values | _known(business, owner)


def _rows(business: Business, owner: User) -> dict[str, QuerySet[Any]]:
    """Return querysets by address parameter; the oldest row of each is used."""
    grants = Grant.objects.filter(business=business, environment="sandbox")
    endpoints = WebhookEndpoint.objects.of(business).filter(environment="sandbox")
    return {
        "application_id": Application.objects.of(business),
        "check_id": Check.objects.filter(submission__application__business=business),
        "grant_id": grants,
        "key_id": ApiKey.objects.filter(grant__in=grants),
        "network_request_id": NetworkRequest.objects.filter(grant__business=business),
        "endpoint_id": endpoints,
        "delivery_id": WebhookDelivery.objects.filter(endpoint__in=endpoints),
        "information_request_id": InformationRequest.objects.filter(application__business=business),
        "item_id": InformationItem.objects.filter(request__application__business=business),
        "file_id": EvidenceFile.objects.filter(application__business=business),
        "domain_id": CheckoutDomain.objects.of(business),
        "go_live_request_id": GoLiveRequest.objects.of(business),
        "invitation_id": Invitation.objects.filter(business=business),
        "session_id": Session.objects.of(owner),
        "passkey_id": Passkey.objects.filter(user=owner),
    }


def _known(business: Business, owner: User) -> dict[str, Any]:
    """Return the address parameters that every business has."""
    return {
        "business_id": business.public_id,
        "account_id": business.public_id,
        "person_id": owner.public_id,
        "name": "manifest.json",
        "environment": "sandbox",
        "currency": "cNGN",
        "section_key": "legal_identity",
        "purpose": "sign_in",
        "mail_id": "mail_unknown",
        "view_id": "view_unknown",
        "object_id": "pyo_unknown",
        "break_id": "brk_unknown",
        "payment_id": "dep_unknown",
        "screening_id": "scr_unknown",
        "slug": "not-found",
        "product": "payouts",
        "provider_name": "simulated-identity",
        "module": "webhooks",
        "resource": "webhook-endpoints",
        # Webhooks have pages of their own instead of the module's first page.
        "api:module": {"module": "balances"},
        "api:verifier": {"file": "verify_webhook.py"},
        "api:provider_event": {"name": "nobody"},
        "agreements:instructions": {"name": "evidence.md"},
        "agreements:withdrawn_seals": {"kind": "json"},
        "onboarding:owners_file": {"kind": "bods"},
        "accounts:confirm_email": {"token": signup.confirmation_token(owner)},
        "accounts:not_me": {"token": recipients.not_me_path("x@example.com").split("/")[-2]},
        "accounts:reset": {"person_id": owner.public_id, "token": "unknown"},
    }
