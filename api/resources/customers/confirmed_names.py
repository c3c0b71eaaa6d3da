"""Whether the name of a customer is confirmed: whoever verifies identities says so."""

from collections.abc import Callable

from api.sandbox.models import Customer

Confirmation = Callable[[Customer], bool]
_confirmations: list[Confirmation] = []


def register(confirms: Confirmation) -> None:
    """Ask this too whether a customer's legal name is confirmed. Called from AppConfig.ready()."""
    _confirmations.append(confirms)


def of(customer: Customer) -> str:
    """Return the legal name of a customer whose identity was verified; empty for any other."""
    return customer.legal_name if any(one(customer) for one in _confirmations) else ""
