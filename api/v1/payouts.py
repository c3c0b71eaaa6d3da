"""POST /payouts, GET /payouts, GET /payouts/{id}: money to bank accounts."""

from api.gateway.calls import ApiAnswer, Call
from api.resources.payouts.models import Payout
from api.resources.payouts.payouts import PAYOUTS
from api.resources.remittance import corridors
from api.v1 import shapes
from api.v1.callers import business_of, key_of
from api.v1.resource import Resource, require_provider
from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace

RESOURCE = Resource(
    Payout,
    shapes.PayoutItem,
    columns={"failure_reason": "failure_code"},
    settle=PAYOUTS.settle_due,
)
_DETAILS = ("bank_account", "reference", "metadata")


def create(call: Call) -> ApiAnswer:
    """Pay out from a balance to a bank account."""
    body = call.body
    country = body["bank_account"]["country"]
    refusing.require_none([StatedPlace(country, RestrictionScope.CORRIDOR)])
    require_provider(call)
    corridors.require(body["money"], country, call.record.business_pk, call.record.tier)
    payout = Payout(
        business=business_of(call),
        environment=call.environment,
        amount=body["money"].minor,
        currency=body["money"].currency,
        **{name: body[name] for name in _DETAILS if name in body},
    )
    return RESOURCE.answer(PAYOUTS.create(payout, tries=call.tries, by=key_of(call)))
