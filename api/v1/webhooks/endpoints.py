"""POST, PATCH, DELETE /webhook-endpoints, .../rotate-secret, /verify, /ping."""

from typing import Any

from django.db import transaction

from api.gateway.operations import ApiAnswer, Call
from api.gateway.problems import problem_for
from api.v1.callers import business_of, key_of
from api.v1.webhooks import delivery_reading, endpoint_reading
from api.v1.webhooks.endpoint_reading import find, show
from apikeys.lifecycle import Environment
from apikeys.webhooks import addresses, deliveries, endpoints, verification
from apikeys.webhooks.lifecycle import EndpointStatus
from apikeys.webhooks.models import EndpointProbe


def ask_the_network(call: Call) -> dict[str, Any]:
    """Refuse an address that leads where we do not connect, before anything is changed."""
    try:
        addresses.refuse_forbidden(addresses.read(call.body["url"]))
    except addresses.AddressRefused as refused:
        raise problem_for(refused) from None
    return {"allowed": True}


def create(call: Call) -> ApiAnswer:
    """Register a webhook endpoint; its signing secret is in this answer alone."""
    if call.outcome is None:
        ask_the_network(call)
    environment, by = Environment(call.environment), key_of(call)
    endpoint, secret = endpoints.create(business_of(call), environment, **call.body, by=by)
    return ApiAnswer(show(call, endpoint) | {"signing_secret": secret})


def change(call: Call) -> ApiAnswer:
    """Change what a webhook endpoint gets, pause it, or let it go on."""
    endpoint, by = find(call, call.names["id"]), key_of(call)
    with transaction.atomic():
        if "enabled_events" in call.body:
            endpoint = endpoints.change(endpoint, enabled_events=call.body["enabled_events"], by=by)
        if (status := call.body.get("status")) is not None:
            verb = endpoints.pause if status == EndpointStatus.PAUSED else endpoints.resume
            endpoint = verb(endpoint, by=by)
        return ApiAnswer(show(call, endpoint))


def remove(call: Call) -> ApiAnswer:
    """Remove a webhook endpoint: what waits for it is abandoned, what was sent stays on record."""
    endpoints.remove(find(call, call.names["id"]), by=key_of(call))
    return ApiAnswer({})


def rotate_secret(call: Call) -> ApiAnswer:
    """Replace the signing secret of a webhook endpoint; the new one is in this answer alone.

    Where a receiver does not take the new secret yet, deliveries are signed with the replaced one
    too, for a day.
    """
    endpoint, secret = endpoints.rotate_secret(find(call, call.names["id"]), by=key_of(call))
    return ApiAnswer(show(call, endpoint) | {"signing_secret": secret})


def verify(call: Call) -> ApiAnswer:
    """Ask for the round of probes that verifies a webhook endpoint, at most ten times a day."""
    probe = verification.ask(find(call, call.names["id"]), by=key_of(call))
    return ApiAnswer(_shown(probe))


def ping(call: Call) -> ApiAnswer:
    """Send a test event to a webhook endpoint, whatever kinds it selects."""
    sent = deliveries.ping(find(call, call.names["id"]), by=key_of(call))
    return ApiAnswer(delivery_reading.show(sent))


def _shown(probe: EndpointProbe) -> dict[str, Any]:
    results = {None: "running", True: "passed", False: "failed"}
    return {
        "id": probe.public_id,
        "object": "webhook_verification",
        "endpoint_id": probe.endpoint.public_id,
        "status": results[probe.passed],
        "created_at": endpoint_reading.moment(probe.asked_at),
        "completed_at": endpoint_reading.moment(probe.ended_at),
    }
