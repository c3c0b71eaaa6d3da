"""Calls that a person of a business makes from a page: the API's own functions, without a key.

What an operation is told is the same as when a key calls it: the business, the environment, and
what the business holds there. So a page and the API cannot show different things.
"""

from typing import Any

from api.gateway.calls import Call
from api.gateway.database import DjangoDatabase
from api.gateway.operations import Operation
from api.gateway.records import CallerRecord
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.models import Business

_DATABASE = DjangoDatabase()


def caller_in(business: Business, environment: Environment) -> CallerRecord:
    """Return a business with what it holds in an environment, where it may hold nothing."""
    grant = Grant.objects.of(business).filter(environment=environment).first()
    grant = grant or Grant(business=business, environment=environment)
    return CallerRecord(
        environment=environment,
        grant_status=grant.status,
        products=tuple(grant.products),
        tier=grant.tier,
        api_version=grant.api_version,
        business_networks=tuple(grant.networks),
        requires_signatures=grant.requires_signatures,
        business_pk=business.pk,
        business_id=business.public_id,
        business_name=business.name,
        business_status=business.status,
    )


def ask(
    operation: Operation, caller: CallerRecord, query: str = "", **names: str
) -> dict[str, Any]:
    """Return what an operation that reads answers, or raise ApiProblem.

    `names` stand for those in the operation's path.
    """
    assert not operation.changes, operation.name
    call = Call({"REQUEST_METHOD": operation.method, "QUERY_STRING": query}, _DATABASE, "")
    call.caller, call.environment = caller, caller.environment
    call.operation, call.names = operation, names
    operation.validate(call)
    return operation.function(call).body
