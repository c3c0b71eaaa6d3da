"""Calls that a person of a business makes from a page: the API's own actions, without a key.

What an action knows is the same as when a key calls it: the business, the environment, and what the
business holds there. So a page and the API cannot show different things.
"""

from typing import Any

from api.operations import Operation
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.models import Business


def grant_in(business: Business, environment: Environment) -> Grant:
    """Return what a business may do in an environment, where it may hold nothing."""
    grants = Grant.objects.of(business).select_related("business")
    found = grants.filter(environment=environment).first()
    return found or Grant(business=business, environment=environment)


def ask(operation: Operation, grant: Grant, query: str = "", **names: str) -> dict[str, Any]:
    """Return what an operation that reads answers, or raise ApiProblem.

    `names` stand for those in the operation's path.
    """
    assert not operation.changes, operation.name
    view = operation.view(
        operation=operation, environment=grant.environment, grant=grant, kwargs=names, request=None
    )
    view.validate(query, {})
    action = getattr(view, operation.action).__wrapped__
    answered: dict[str, Any] = view.act(action, None).data
    return answered
