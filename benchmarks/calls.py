"""API call cost: the full API against a bare view, and against peers that only check a key."""

from functools import partial

from knox.models import AuthToken
from rest_framework_api_key.models import APIKey

from benchmarks.report import Row, ratio
from benchmarks.wsgi_calls import call, lift_limits, seconds
from tests import factories
from tests.api.asking import EXAMPLES
from tests.apikeys.world import a_grant, a_key

ROUNDS, CALLS = 11, 40
# Small enough that the balance lasts for every round.
PAYOUT = EXAMPLES["payouts.create"] | {"amount": "0.01"}


def measure() -> list[Row]:
    """Call both sides of every ratio alternately, so load on the machine slows both."""
    lift_limits()
    grant = a_grant()
    _, api_key = APIKey.objects.create_key(name="bench")
    _, token = AuthToken.objects.create(user=factories.owner_of(grant.business))
    reader = f"Bearer {a_key(grant, scopes=('balances:read', 'webhooks:read'))[1]}"
    payer = f"Bearer {a_key(grant, scopes=('payouts:write',))[1]}"
    get, pay = partial(call, "GET"), partial(call, "POST", authorization=payer, body=PAYOUT)
    me = partial(get, "/sandbox/v1/me", authorization=reader)
    by_key = partial(get, "/api-key", authorization=f"Api-Key {api_key}")
    by_token = partial(get, "/knox", authorization=f"Token {token}")
    payout, bare = partial(pay, "/sandbox/v1/payouts"), partial(pay, "/payout")
    rows = []
    for name, what, aim, theirs, ours in (
        ("me/api-key", "djangorestframework-api-key : /me with every check", 2.0, by_key, me),
        ("me/knox", "django-rest-knox : /me with every check", 3.0, by_token, me),
        ("me/drf", "bare view with one query : /me", 0.6, partial(get, "/drf"), me),
        ("payout/bare", "the same transaction in a bare view : a payout", 0.7, bare, payout),
    ):
        seconds(theirs), seconds(ours)
        ratios = [seconds(theirs, CALLS) / seconds(ours, CALLS) for _ in range(ROUNDS)]
        rows.append(ratio(name, what, ratios, least=aim))
    return rows
