"""Scenarios that publish each public event kind through the real verbs, except of API objects.

Each scenario ends when the source of its kind is published. Every free text that staff enter on
the way is `INTERNAL`, which no public event may contain.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

from agreements.lifecycle import PackStatus
from api.payments import checkout_payments, checkout_sessions, deposits, scoping, virtual_accounts
from api.payments.disbursements import TRANSFERS
from api.payments.models import Beneficiary, CheckoutSession, Deposit, Transfer, VirtualAccount
from apikeys.allowlist import allowlist
from apikeys.keys import key_expiry, keys, rotation
from apikeys.lifecycle import Environment
from apikeys.suspension import suspension
from apikeys.webhooks import endpoints, verification
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.catalogue import products
from console.catalogue.lifecycle import ProductStatus
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions, information_requests
from onboarding.review.information_requests import Asked
from tests import factories
from tests.api import checkouts
from tests.apikeys import world
from tests.apikeys.webhooks import world as webhook_world
from tests.onboarding import answered

INTERNAL = "Between us: looks odd."
DAY = timedelta(days=1)


def _application(at: str) -> Callable[[], object]:
    return lambda: factories.an_application(at)


def _returned() -> None:
    application = factories.a_reviewed_application()
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    decisions.return_for_changes(application, note=INTERNAL, by=reviewer)


def _asked() -> None:
    application = factories.a_reviewed_application(**answered.HIGH)
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    information_requests.ask(application, asked=[Asked("explain", INTERNAL)], by=reviewer)


def _declined() -> None:
    application = factories.an_application(ApplicationStatus.HELD)
    decisions.decline(application, note=INTERNAL, by=factories.one_of_staff(Role.COMPLIANCE))


def _product(to: ProductStatus) -> None:
    business = factories.a_business()
    products.request(business, ["cards"], by=factories.owner_of(business))
    products.approve(business, ["cards"], by=factories.one_of_staff(Role.COMPLIANCE))
    if to == ProductStatus.WITHDRAWN:
        commercial = factories.one_of_staff(Role.COMMERCIAL)
        products.withdraw(business, "cards", reason=INTERNAL, by=commercial)


def _rotated() -> None:
    key, _ = world.a_key()
    owner = factories.owner_of(key.business)
    key, _ = rotation.rotate(key, grace=DAY, by=owner)
    rotation.note_first_use(key.pk, by=SYSTEM)
    rotation.end_former(key, by=owner)


def _revoked() -> None:
    key, _ = world.a_key()
    keys.revoke(key, reason=INTERNAL, by=factories.owner_of(key.business))


def _network_changed() -> None:
    grant = world.a_grant()
    allowlist.set_of_business(grant, ["203.0.113.7"], by=factories.owner_of(grant.business))


def _suspended() -> Any:
    key, _ = world.a_key()
    return suspension.suspend(
        key.business, reason=INTERNAL, by=factories.one_of_staff(Role.COMPLIANCE)
    )


def _restored() -> None:
    by = factories.one_of_staff(Role.COMPLIANCE)
    suspension.restore(_suspended(), reason=INTERNAL, by=by)


def _paused() -> None:
    endpoint, _ = webhook_world.an_endpoint()
    by = factories.one_of_staff(Role.COMPLIANCE)
    endpoints.stop_abuse(endpoint, reason=INTERNAL, by=by)


def _verified() -> WebhookEndpoint:
    business = world.a_grant(environment=Environment.LIVE).business
    endpoint, _ = webhook_world.an_endpoint(business, environment=Environment.LIVE)
    round_ = verification.ask(endpoint, by=SYSTEM)
    verification.settle(round_, [], method="probe", by=SYSTEM)
    return endpoint


def _lapsed() -> None:
    endpoint = _verified()
    for _ in range(verification.MOST_FAILED):
        if (round_ := verification.ask_weekly(endpoint, by=SYSTEM)) is not None:
            verification.settle(round_, [], method="", by=SYSTEM)


def a_transfer(amount: int = 25_000) -> Transfer:
    """Return a transfer, which completes at once unless its amount ends in `.45`."""
    business = world.a_grant().business
    own = {"business": business, "environment": "sandbox"}
    account = {"country": "GH", "account_name": "Kwame Mensah"}
    beneficiary = Beneficiary(
        **own, name="Kwame Mensah", country="GH", currency="GHS", account=account
    )
    to = scoping.create(beneficiary, "beneficiary.created", by=SYSTEM)
    transfer = Transfer(
        **own, amount=amount, currency="USD", beneficiary=to, destination_currency="GHS",
        reference="INV-42",
    )  # fmt: skip
    return TRANSFERS.create(transfer, tries=0, by=SYSTEM)


def an_account() -> VirtualAccount:
    account = VirtualAccount(
        business=world.a_grant().business, environment="sandbox", currency="USD",
        account_name="Kettle & Kiosk",
    )  # fmt: skip
    return virtual_accounts.issue(virtual_accounts.create(account, by=SYSTEM), by=SYSTEM)


def a_session() -> CheckoutSession:
    return checkouts.a_session(world.a_grant().business)


def _paid_in_parts() -> None:
    session = a_session()
    checkouts.pays(session, 1)
    checkouts.pays(session, 1)


def _underpaid() -> None:
    session = a_session()
    checkouts.pays(session, 1)
    checkout_sessions.expire(session, by=SYSTEM)


def _deposit() -> None:
    account = an_account()
    deposit = Deposit(
        business=account.business, environment="sandbox", virtual_account=account, amount=5_000,
        currency="USD", provider_reference="P1",
    )  # fmt: skip
    deposits.receive(deposit, by=SYSTEM)


def _held() -> Deposit:
    session = a_session()
    checkout_sessions.expire(session, by=SYSTEM)
    return checkouts.pays(session, 5_000)


SCENARIOS: dict[str, Callable[[], object]] = {
    "application.submitted": _application(ApplicationStatus.SUBMITTED),
    "application.returned": _returned,
    "information.requested": _asked,
    "application.cleared": _application(ApplicationStatus.CLEARED),
    "application.declined": _declined,
    "pack.ready_to_read": lambda: factories.a_pack(PackStatus.IN_REVIEW),
    "pack.signed": lambda: factories.a_pack(PackStatus.IN_APPROVAL),
    "pack.executed": lambda: factories.a_pack(PackStatus.EXECUTED),
    "product.enabled": lambda: _product(ProductStatus.APPROVED),
    "product.disabled": lambda: _product(ProductStatus.WITHDRAWN),
    "key.created": world.a_key,
    "key.rotated": _rotated,
    "key.revoked": _revoked,
    "key.expiring": lambda: key_expiry.tell_expiring(world.a_key()[0], 7, by=SYSTEM),
    "network.changed": _network_changed,
    "access.suspended": _suspended,
    "access.restored": _restored,
    "webhook_endpoint.paused": _paused,
    "webhook_endpoint.verified": _verified,
    "webhook_endpoint.lapsed": _lapsed,
    "deposit.settled": _deposit,
    "deposit.held": _held,
    "deposit.returned": lambda: checkout_payments.give_back(_held(), by=SYSTEM),
    "deposit.reversed": lambda: checkout_payments.reverse(
        checkouts.pays(a_session(), 1), by=SYSTEM
    ),
    "checkout_session.created": a_session,
    "checkout_session.pending": lambda: checkouts.pays(a_session(), 1),
    "checkout_session.partially_paid": _paid_in_parts,
    "checkout_session.paid": lambda: checkouts.pays(a_session(), 150_000),
    "checkout_session.underpaid": _underpaid,
    "checkout_session.expired": lambda: checkout_sessions.expire(a_session(), by=SYSTEM),
    "checkout_session.cancelled": lambda: checkout_sessions.cancel(a_session(), by=SYSTEM),
}
