"""Whose call it is: the business and the key."""

from api.gateway.operations import Call
from console.accounts.actors import NoPerson
from console.accounts.models import Business


def business_of(call: Call) -> Business:
    """Return the business that calls."""
    return call.business


def key_of(call: Call) -> NoPerson:
    """Return the key that calls, as the one who acts."""
    assert call.key is not None
    return NoPerson(call.key.name, call.key.public_id)
