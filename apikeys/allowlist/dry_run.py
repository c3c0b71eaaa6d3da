"""Try a list before it bites: which addresses of the last 30 days it would refuse."""

from collections.abc import Sequence

from apikeys import networks, request_log
from apikeys.lifecycle import Environment
from apikeys.models import ApiKey, Grant
from apikeys.request_log import CallerAddress


def refused(grant: Grant, key: ApiKey | None, wanted: Sequence[str]) -> list[CallerAddress]:
    """Return the addresses, the one with the most calls first, that `wanted` would refuse."""
    allows_all = key is not None or grant.environment != Environment.LIVE
    if not wanted and allows_all:
        return []
    callers = request_log.callers(grant.business, grant.environment, key.public_id if key else "")
    return [caller for caller in callers if networks.match(caller.ip, tuple(wanted)) is None]
