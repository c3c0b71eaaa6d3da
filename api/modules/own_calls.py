"""Run the API's read operations for a person on a page, without a key.

An operation gets the same business, environment and grant as with a key, so that pages and the API
show the same data.
"""

from typing import Any

from rest_framework.exceptions import ValidationError

from api import pagination
from api.operations import Operation
from api.providers import connected
from api.validation import problem_of
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.models import Business


def grant_in(business: Business, environment: Environment) -> Grant:
    """Return the business's grant for the environment, or an unsaved empty one."""
    grants = Grant.objects.of(business).select_related("business")
    found = grants.filter(environment=environment).first()
    return found or Grant(business=business, environment=environment)


def ask(operation: Operation, grant: Grant, query: str = "", **names: str) -> dict[str, Any]:
    """Return the response of a read operation, or raise ApiProblem.

    `names` are the values of the path parameters.
    """
    assert not operation.changes, operation.name
    view = operation.view(
        operation=operation, environment=grant.environment, grant=grant, kwargs=names, request=None
    )
    action = getattr(view, operation.action).__wrapped__
    try:
        view.check_input(query)
        if operation.of_provider and not connected.serves(grant.environment, operation.product):
            response = pagination.whole([])
        else:
            response = action(view, None)
    except ValidationError as error:
        raise problem_of(error) from None
    answered: dict[str, Any] = response.data
    return answered
