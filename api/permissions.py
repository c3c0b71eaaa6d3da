"""Permission checks for a proved key: one class for each, in the published order.

The page "Explain a refusal" runs the same checks for a hypothetical call.
"""

from typing import Any, ClassVar, NamedTuple

from django.utils.translation import gettext_noop
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from api import call_signatures
from api.operations import Operation
from api.problems import ApiProblem
from apikeys import allowed_networks
from apikeys.lifecycle import Environment, GrantStatus
from apikeys.models import ApiKey
from console.accounts.lifecycle import Access

_LISTS = {
    "business": "The address {ip} is not on your business’s allowlist.",
    "key": "The address {ip} is not on the key’s allowlist.",
    "missing": "Live keys need an allowlist, and you have none. The call came from {ip}.",
}


class KeyAttempt(NamedTuple):
    """A key's attempt to call an operation: from which address, in which environment."""

    key: ApiKey
    ip: str
    environment: str
    operation: Operation


class ApiPermission(BasePermission):
    """A check that refuses with its own problem."""

    title: ClassVar[str]

    def problem(self, attempt: KeyAttempt) -> ApiProblem | None:
        """Return why the key is refused, or None if it is allowed."""
        raise NotImplementedError

    def has_permission(self, request: Request, view: Any) -> bool:
        attempt = KeyAttempt(view.key, view.ip, view.environment, view.operation)
        if problem := self.problem(attempt):
            raise problem
        return True


class IsSigned(BasePermission):
    """Requires a valid, unused signature if one is sent or the business requires one."""

    def has_permission(self, request: Request, view: Any) -> bool:
        if problem := call_signatures.problem(request, view.key):
            raise problem
        return True


class BusinessIsActive(ApiPermission):
    title = gettext_noop("The business is not suspended")

    def problem(self, attempt: KeyAttempt) -> ApiProblem | None:
        suspended = attempt.key.business.status == Access.SUSPENDED
        return ApiProblem("COMPLIANCE_BLOCKED", reason="business_suspended") if suspended else None


class AddressIsAllowed(ApiPermission):
    title = gettext_noop("The address is allowed")

    def problem(self, attempt: KeyAttempt) -> ApiProblem | None:
        grant, ip = attempt.key.grant, attempt.ip
        refusing = allowed_networks.refusing(
            ip,
            environment=grant.environment,
            business=tuple(grant.networks),
            key=tuple(attempt.key.networks),
        )
        if not refusing:
            return None
        detail = _LISTS[refusing].format(ip=ip or "that we could not read")
        return ApiProblem("IP_NOT_ALLOWED", detail, client_ip=ip, reason=refusing)


class EnvironmentMatches(ApiPermission):
    title = gettext_noop("The key belongs to this environment")

    def problem(self, attempt: KeyAttempt) -> ApiProblem | None:
        key, ours = attempt.key, attempt.environment
        if key.environment != ours:
            said = f"The key {key.public_id} is a {key.environment} key, and this is the {ours}"
            said += " address."
        elif ours == Environment.LIVE and attempt.operation.is_test_helper:
            said = "Test helpers exist only in the sandbox."
        else:
            return None
        return ApiProblem(
            "ENVIRONMENT_MISMATCH",
            said,
            environment=ours,
            key_environment=key.environment,
            key_id=key.public_id,
        )


class ProductIsEnabled(ApiPermission):
    title = gettext_noop("The product is enabled")

    def problem(self, attempt: KeyAttempt) -> ApiProblem | None:
        grant, product = attempt.key.grant, attempt.operation.product
        if grant.status == GrantStatus.SUSPENDED:
            return ApiProblem("PRODUCT_NOT_ENABLED", product=product, reason="suspended")
        if product not in grant.products:
            detail = f"The product {product} is not enabled for your business in this environment."
            return ApiProblem("PRODUCT_NOT_ENABLED", detail, product=product)
        return None


class HasScope(ApiPermission):
    title = gettext_noop("The key has the scope")

    def problem(self, attempt: KeyAttempt) -> ApiProblem | None:
        scope = attempt.operation.scope
        if scope in attempt.key.scopes:
            return None
        challenge = f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'
        return ApiProblem(
            "FORBIDDEN_SCOPE",
            f"This key does not have the scope {scope}.",
            headers=[("WWW-Authenticate", challenge)],
            required_scope=scope,
        )


# The published order: the first check that refuses determines the response.
KEY_PERMISSIONS: tuple[type[ApiPermission], ...] = (
    BusinessIsActive,
    AddressIsAllowed,
    EnvironmentMatches,
    ProductIsEnabled,
    HasScope,
)
