"""Whose call it is: the business and the key, from the key's record, without a query."""

from api.gateway.calls import Call
from console.accounts.actors import NoPerson
from console.accounts.models import Business


def business_of(call: Call) -> Business:
    """Return the business that calls, with its key, its public id and its name."""
    caller = call.caller
    return Business(pk=caller.business_pk, public_id=caller.business_id, name=caller.business_name)


def key_of(call: Call) -> NoPerson:
    """Return the key that calls, as the one who acts."""
    return NoPerson(call.record.key_name, call.record.key_id)
