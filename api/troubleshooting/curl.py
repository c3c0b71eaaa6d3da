"""curl commands to copy: one for a logged call, and one for the first call."""

import shlex

from api.reference import documented_operations, sample_calls
from apikeys.lifecycle import OPENS, Environment
from apikeys.models import ApiKey, RequestLog
from console.accounts.models import Business


def command(call: RequestLog) -> str:
    """Return a command for a logged call, using the documented example as its body was not kept.

    For a call that matched no operation, only its method and URL.
    """
    documented = documented_operations.of_call(call.method, call.path)
    if documented is not None:
        return sample_calls.curl(documented.row, call.key_id, call.environment)
    address = shlex.quote(sample_calls.root(call.environment) + call.path)
    words = [address, *(["-X", shlex.quote(call.method)] if call.method != "GET" else [])]
    return " ".join(["curl", *words, sample_calls.authorization(call.key_id)])


def first_call(business: Business) -> str:
    """Return a first call to make, for an empty log."""
    keys = ApiKey.objects.of(business).filter(
        grant__environment=Environment.SANDBOX, status__in=OPENS
    )
    key = keys.first()
    return sample_calls.curl(documented_operations.FIRST, key.public_id if key else "")
