"""Commands to copy: a call like the one that was logged, and the first one to make."""

import shlex

from api.reference import documented_operations, sample_calls
from apikeys.lifecycle import OPENS, Environment
from apikeys.models import ApiKey, RequestLog
from console.accounts.models import Business


def command(call: RequestLog) -> str:
    """Return what makes such a call again, with the documented example: its own was not kept.

    A call that met no operation is its method and its address.
    """
    documented = documented_operations.of_call(call.method, call.path)
    if documented is not None:
        return sample_calls.curl(documented.row, call.key_id, call.environment)
    address = shlex.quote(sample_calls.root(call.environment) + call.path)
    words = [address, *(["-X", shlex.quote(call.method)] if call.method != "GET" else [])]
    return " ".join(["curl", *words, sample_calls.authorization(call.key_id)])


def first_call(business: Business) -> str:
    """Return the first call to make, for a log that is still empty."""
    keys = ApiKey.objects.of(business).filter(
        grant__environment=Environment.SANDBOX, status__in=OPENS
    )
    key = keys.first()
    return sample_calls.curl(documented_operations.FIRST, key.public_id if key else "")
