"""A logged call as a command to copy: its address and headers, and never a secret."""

import shlex

from django.conf import settings

from api.gateway.gateway import LIVE_ROOT, SANDBOX_ROOT
from apikeys.models import RequestLog

ROOTS = {"sandbox": SANDBOX_ROOT, "live": LIVE_ROOT}


def command(call: RequestLog) -> str:
    """Return what makes the same call again; the reader's key comes from the environment."""
    address = f"{settings.BASE_URL.rstrip('/')}{ROOTS.get(call.environment, '')}{call.path}"
    words = ["curl", *([] if call.method == "GET" else ["-X", call.method]), address]
    said = [shlex.quote(word) for word in words]
    # In double quotes, so that the shell puts the key in.
    return " ".join([*said, '-H "Authorization: Bearer $API_KEY"'])


def first_call() -> str:
    """Return the first call to make, for a log that is still empty."""
    address = f"{settings.BASE_URL.rstrip('/')}{SANDBOX_ROOT}/me"
    return f'curl {shlex.quote(address)} -H "Authorization: Bearer $API_KEY"'
