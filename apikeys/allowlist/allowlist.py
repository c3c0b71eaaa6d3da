"""Change the allowlist of a business or a key, and request, grant or decline a wide network."""

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apikeys import allowed_networks, logged_calls
from apikeys.allowed_networks import UnusableNetwork
from apikeys.keys import keys
from apikeys.lifecycle import NETWORK_LIFECYCLE, Environment, NetworkStatus
from apikeys.logged_calls import CallerAddress
from apikeys.models import ApiKey, Grant, NetworkRequest
from console.accounts import access, business_access
from console.accounts.models import User
from console.accounts.roles import Permission
from console.audit import log as audit
from console.core import clock
from console.core.refusals import Refused, Stale
from console.events import outbox as events
from console.shell.modules import May


class TooWide(Refused):
    """The network is wider than a business may add itself; it must be requested."""

    code = "too_wide"


def read(texts: Iterable[str], environment: str, *, held: Sequence[str] = ()) -> list[str]:
    """Return networks as stored; raise for the first one that the list cannot contain.

    `held` are wide networks that may stay because compliance granted them.
    """
    found = [allowed_networks.parse(text, environment) for text in texts]
    if len(found) > allowed_networks.MOST:
        raise UnusableNetwork(
            _("A list can have at most %(most)s networks. Combine some of them.")
            % {"most": allowed_networks.MOST}
        )
    for network in found:
        if allowed_networks.is_wide(network) and str(network) not in held:
            width = allowed_networks.WIDEST[network.version]
            raise TooWide(
                _("%(network)s is wider than /%(width)s. To use it, request a wider network.")
                % {"network": network, "width": width}
            )
    return allowed_networks.in_order(found)


@transaction.atomic
def set_of_business(
    grant: Grant, texts: Iterable[str], *, seen: Sequence[str] | None = None, by: User
) -> Grant:
    """Replace the business's allowlist in one environment.

    `seen` is the list that the page showed. Raises Stale if it has changed since.

    An empty list allows every address in the sandbox. In live, it blocks all keys that have no
    allowlist of their own and prevents new keys, so a business can use it to stop all calls.
    """
    grant = Grant.objects.locked(grant)
    access.require(by, Permission.NETWORK_EDIT, grant.business)
    wanted = read(texts, grant.environment, held=grant.networks)
    _require_current(grant, seen, wanted)
    return _give(grant, wanted, act="network.changed", by=by)


@transaction.atomic
def set_of_key(
    key: ApiKey, texts: Iterable[str], *, seen: Sequence[str] | None = None, by: User
) -> ApiKey:
    """Replace a key's own allowlist; if empty, only the business's allowlist applies.

    `seen` is the list that the page showed. Raises Stale if it has changed since.
    """
    key = ApiKey.objects.locked(key)
    access.require(by, Permission.NETWORK_EDIT, key.business)
    keys.require_held(key)
    was, wanted = key.networks, read(texts, key.environment, held=key.grant.networks)
    _require_current(key, seen, wanted)
    key.networks = wanted
    key.save(update_fields=["networks"])
    _announce(key, was, act="network.changed_for_key", by=by)
    return key


@transaction.atomic
def ask(grant: Grant, text: str, *, reason: str, by: User) -> NetworkRequest:
    """Request a network that is wider than a business may add itself."""
    access.require(by, Permission.NETWORK_EDIT, grant.business)
    business_access.require(grant.business)
    grant = Grant.objects.locked(grant)
    network = allowed_networks.parse(text, grant.environment)
    if not allowed_networks.is_wide(network):
        raise UnusableNetwork(
            _("%(network)s does not need a request. Add it to the list yourself.")
            % {"network": network}
        )
    asked = grant.network_requests.waiting().filter(network=str(network))
    if str(network) in grant.networks or asked.exists():
        raise UnusableNetwork(
            _("%(network)s is already on the list or requested.") % {"network": network}
        )
    request = NetworkRequest.objects.create(
        grant=grant,
        network=str(network),
        reason=reason,
        requested_by=by,
        requested_at=clock.now(),
    )
    audit.record("network.requested", request, by=by, network=str(network), reason=reason)
    events.publish("network.requested", request)
    return request


@transaction.atomic
def decide(request: NetworkRequest, *, granted: bool, reason: str, by: User) -> NetworkRequest:
    """Grant a wide network and add it to the business's allowlist, or decline it."""
    access.require(by, Permission.NETWORK_DECIDE)
    access.require_outsider(by, request.business)
    if granted:
        business_access.require(request.business, is_told=False)
    grant = Grant.objects.locked(request.grant)
    request = NetworkRequest.objects.locked(request)
    to = NetworkStatus.GRANTED if granted else NetworkStatus.DECLINED
    NETWORK_LIFECYCLE.check(request.status, to)
    request.status, request.decision_reason = to, reason
    request.decided_by, request.decided_at = by, clock.now()
    request.save()
    audit.record(
        "network.granted" if granted else "network.declined",
        request,
        by=by,
        network=request.network,
        reason=reason,
    )
    if granted:
        wider = [*grant.networks, request.network]
        _give(grant, read(wider, grant.environment, held=wider), act="network.added", by=by)
    return request


def _require_current(
    subject: Grant | ApiKey, seen: Sequence[str] | None, wanted: list[str]
) -> None:
    """Raise Stale if the list changed after the page showed it, unless it is already as wanted."""
    if seen is not None and subject.networks not in (list(seen), wanted):
        raise Stale(_("Somebody changed this list after you opened this page."))


def _give(grant: Grant, wanted: list[str], *, act: str, by: User) -> Grant:
    was, grant.networks = grant.networks, wanted
    grant.save(update_fields=["networks"])
    _announce(grant, was, act=act, by=by)
    return grant


def _announce(subject: Grant | ApiKey, was: list[str], *, act: str, by: User) -> None:
    """Record (as `act`) and publish the change of a list; do nothing if it is unchanged."""
    now = subject.networks
    if was == now:
        return
    audit.record(act, subject, by=by, before={"networks": was}, after={"networks": now})
    events.publish(
        "network.changed",
        subject,
        business=subject.business.public_id,
        environment=subject.environment,
        was=was,
    )


def refused(grant: Grant, key: ApiKey | None, wanted: Sequence[str]) -> list[CallerAddress]:
    """Return the callers of the last 30 days that the list would refuse, most calls first."""
    allows_all = key is not None or grant.environment != Environment.LIVE
    if not wanted and allows_all:
        return []
    callers = logged_calls.callers(grant.business, grant.environment, key.public_id if key else "")
    return [
        caller for caller in callers if allowed_networks.match(caller.ip, tuple(wanted)) is None
    ]


def waiting(_person: object, _may: May) -> QuerySet[NetworkRequest]:
    """Return the requests that nobody has decided."""
    return NetworkRequest.objects.waiting()
