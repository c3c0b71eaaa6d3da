"""Rate limiting: token buckets in PostgreSQL, exact across processes.

All keys of a business share its buckets: one for all calls, one for each class of operation, and
one for refused calls, so that a client that keeps making forbidden calls gets a 429.
"""

import math
import random
from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import FloatField
from django.db.models.expressions import RawSQL
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from api import rate_limits
from api.models import Bucket
from api.operations import Operation
from api.problems import ApiProblem
from api.rate_limits import LimitState, Policy
from apikeys.models import Grant
from console.core import addresses, gcra

# A bucket name, and the limit that it counts.
NamedPolicy = tuple[str, Policy]
_TABLE = Bucket._meta.db_table


class KeyThrottle(BaseThrottle):
    """Spends a token of `default` and one of the operation's own limit, in one statement."""

    def allow_request(self, request: Request, view: Any) -> bool:
        view.limits = spend(_of_operation(view.key.grant, view.operation))
        refuse_emptied(view.limits)
        return True


def spend_on_refusal(grant: Grant) -> list[LimitState]:
    """Spend a token of `default` and one of `refusals`; return the state of both."""
    everything, refusals = _limits(grant)["default"], rate_limits.RATE_LIMITS.refusals
    return spend([_named(grant, everything)]) + spend([_named(grant, refusals)])


def count_failed_authentication(ip: str) -> None:
    """Count a failed authentication of an address. Raises a 429 after too many."""
    refuse_emptied(spend([(_address_bucket(ip), rate_limits.RATE_LIMITS.auth_failures)]))


def failures_of(ip: str) -> RawSQL:
    """Return an expression for the seconds until an address's failures are forgotten.

    The database counts them, as it does when it spends a token: the clocks of the hosts differ.
    Every call compiles it, and a subquery of the ORM took as long as all else in its query.
    """
    ahead = f"SELECT arrives - {gcra.DATABASE_CLOCK} FROM {_TABLE} WHERE name = %s"  # noqa: S608  # our own
    return RawSQL(f"({ahead})", [_address_bucket(ip)], FloatField())  # noqa: S611  # our own


def refuse_failed_address(ahead: float) -> None:
    """Raise a 429 if the address has failed to authenticate too often."""
    policy = rate_limits.RATE_LIMITS.auth_failures
    admitted = gcra.wait(ahead, policy.burst, policy.cost) <= 0
    refuse_emptied([policy.state(ahead, admitted=admitted)])


def every_limit(grant: Grant, spent: Sequence[LimitState]) -> list[LimitState]:
    """Return the state of every limit of a business; `spent` are those of the current call."""
    known = {state.policy.name: state for state in spent}
    refusals = rate_limits.RATE_LIMITS.refusals
    named = [_named(grant, policy) for policy in (*_limits(grant).values(), refusals)]
    ahead = _ahead([bucket for bucket, _ in named])
    return [
        known.get(policy.name) or policy.state(ahead.get(bucket, 0.0), admitted=True)
        for bucket, policy in named
    ]


def spend(limits: Sequence[NamedPolicy]) -> list[LimitState]:
    """Spend a token of each limit in order, until one has none left, in one statement.

    Returns the states of the limits tried.
    """
    takes = [_take(number) for number in range(len(limits))]
    parts = ", ".join(f"take_{number} AS ({take})" for number, take in enumerate(takes))
    # The statement contains only our own names; values are parameters.
    ahead = ", ".join(f"(SELECT ahead FROM take_{number})" for number in range(len(limits)))  # noqa: S608
    values: dict[str, str | int | float] = {}
    for number, (bucket, policy) in enumerate(limits):
        values |= {f"name_{number}": bucket, f"burst_{number}": policy.burst}
        values[f"cost_{number}"] = policy.cost
    with connection.cursor() as cursor:
        cursor.execute(f"WITH {parts} SELECT {ahead}", values)
        found = cursor.fetchone()
    states: list[LimitState] = []
    for (bucket, policy), far in zip(limits, found or (), strict=True):
        if far is None:
            emptied = _ahead([bucket]).get(bucket, 0.0)
            return [*states, policy.state(emptied, admitted=False)]
        states.append(policy.state(far, admitted=True))
    return states


def refuse_emptied(states: Sequence[LimitState]) -> None:
    """Raise a 429 for the first limit without a token left."""
    for state in states:
        if not state.admitted:
            # Add up to a fifth at random, so that clients do not all retry at once.
            wait = state.wait * (1 + random.random() / 5)  # noqa: S311
            retry = ("Retry-After", str(max(1, math.ceil(wait))))
            problem = ApiProblem("RATE_LIMITED", headers=[retry])
            problem.members["violated-policies"] = [state.policy.name]
            raise problem


def _address_bucket(ip: str) -> str:
    return f"auth-failures:{addresses.network_of(ip)}"


def _of_operation(grant: Grant, operation: Operation) -> list[NamedPolicy]:
    limits, kind = _limits(grant), operation.kind
    own = _named(grant, limits[kind], operation.name if kind == "endpoint" else kind)
    return [_named(grant, limits["default"]), own]


def _limits(grant: Grant) -> rate_limits.Limits:
    return rate_limits.RATE_LIMITS.of(grant.environment, grant.tier)


def _named(grant: Grant, policy: Policy, name: str = "") -> NamedPolicy:
    return f"{name or policy.name}:{grant.environment}:{grant.business_id}", policy


def _take(number: int) -> str:
    names = {name: f"%({name}_{number})s" for name in ("name", "burst", "cost")}
    before = f"EXISTS (SELECT FROM take_{number - 1})" if number else "true"
    return gcra.take_sql(_TABLE, gcra.DATABASE_CLOCK, **names, asked="1", only_if=before)


def _ahead(buckets: Sequence[str]) -> dict[str, float]:
    """Return how many seconds ahead each bucket is; unused buckets are missing."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT name, arrives - {gcra.DATABASE_CLOCK} FROM {_TABLE}"  # noqa: S608
            " WHERE name = ANY (%s)",
            [list(buckets)],
        )
        return dict(cursor.fetchall())
