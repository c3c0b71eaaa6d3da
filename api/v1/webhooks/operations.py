"""The rows of the operation table of webhooks."""

from functools import partial

from api.gateway.operations import Operation
from api.v1.described import NoContent, answer_of, page_of
from api.v1.examples import webhooks as examples
from api.v1.webhooks import (
    delivery_reading,
    delivery_shapes,
    endpoint_reading,
    endpoint_shapes,
    endpoints,
    events,
    sending_again,
)

_ENDPOINTS = "/webhook-endpoints"
_ENDPOINT = f"{_ENDPOINTS}/{{id}}"
_DELIVERY = "/webhook-deliveries/{id}"
_read = partial(Operation, product="webhooks", scope="webhooks:read")
_write = partial(Operation, product="webhooks", scope="webhooks:write")

OPERATIONS = [
    _read(
        "webhook_endpoints.list",
        "GET",
        _ENDPOINTS,
        function=endpoint_reading.list_endpoints,
        query=endpoint_shapes.WebhookEndpointQuery,
        answer=page_of(endpoint_shapes.WebhookEndpointItem),
        example=examples.ENDPOINTS,
    ),
    _write(
        "webhook_endpoints.create",
        "POST",
        _ENDPOINTS,
        function=endpoints.create,
        ask=endpoints.ask_the_network,
        body=endpoint_shapes.WebhookEndpointBody,
        answer=answer_of(endpoint_shapes.WebhookEndpointSecretItem),
        example=examples.NEW_ENDPOINT,
        status=201,
        secret=True,
    ),
    _read(
        "webhook_endpoints.read",
        "GET",
        _ENDPOINT,
        function=endpoint_reading.read,
        answer=answer_of(endpoint_shapes.WebhookEndpointItem),
        example=examples.READ_ENDPOINT,
    ),
    _write(
        "webhook_endpoints.change",
        "PATCH",
        _ENDPOINT,
        function=endpoints.change,
        body=endpoint_shapes.WebhookEndpointChange,
        answer=answer_of(endpoint_shapes.WebhookEndpointItem),
        example=examples.CHANGED_ENDPOINT,
    ),
    _write(
        "webhook_endpoints.delete",
        "DELETE",
        _ENDPOINT,
        function=endpoints.remove,
        answer=NoContent,
        example=examples.REMOVED_ENDPOINT,
        status=204,
    ),
    _write(
        "webhook_endpoints.rotate_secret",
        "POST",
        f"{_ENDPOINT}/rotate-secret",
        function=endpoints.rotate_secret,
        answer=answer_of(endpoint_shapes.WebhookEndpointSecretItem),
        example=examples.ROTATED_ENDPOINT,
        secret=True,
    ),
    _write(
        "webhook_endpoints.verify",
        "POST",
        f"{_ENDPOINT}/verify",
        function=endpoints.verify,
        answer=answer_of(endpoint_shapes.VerificationItem),
        example=examples.VERIFICATION,
        status=202,
    ),
    _write(
        "webhook_endpoints.ping",
        "POST",
        f"{_ENDPOINT}/ping",
        function=endpoints.ping,
        answer=answer_of(delivery_shapes.WebhookDeliveryItem),
        example=examples.PING,
        status=202,
    ),
    _read(
        "webhook_endpoints.deliveries",
        "GET",
        f"{_ENDPOINT}/deliveries",
        function=delivery_reading.list_deliveries,
        query=delivery_shapes.DeliveryQuery,
        answer=page_of(delivery_shapes.WebhookDeliveryItem),
        example=examples.DELIVERIES,
    ),
    _write(
        "webhook_endpoints.replay",
        "POST",
        f"{_ENDPOINT}/replay",
        function=sending_again.replay_range,
        body=delivery_shapes.ReplayBody,
        answer=answer_of(delivery_shapes.ReplayItem),
        example=examples.REPLAY,
        status=202,
        other_statuses=(200,),
    ),
    _read(
        "webhook_deliveries.read",
        "GET",
        _DELIVERY,
        function=delivery_reading.read,
        answer=answer_of(delivery_shapes.DeliveryDetail),
        example=examples.DELIVERY,
    ),
    _write(
        "webhook_deliveries.replay",
        "POST",
        f"{_DELIVERY}/replay",
        function=sending_again.replay_one,
        answer=answer_of(delivery_shapes.WebhookDeliveryItem),
        example=examples.RESENT_DELIVERY,
        status=202,
    ),
    _read(
        "events.list",
        "GET",
        "/events",
        function=events.list_events,
        query=events.EventQuery,
        answer=page_of(events.EventItem),
        example=examples.EVENTS,
    ),
    _read(
        "events.read",
        "GET",
        "/events/{id}",
        function=events.read,
        answer=answer_of(events.EventItem),
        example=examples.EVENT,
    ),
]
