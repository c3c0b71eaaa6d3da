"""Where an order of a digital service is, and what the log says of it."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

ORDER_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "service_order.created": "{actor} ordered a digital service as {subject}",
    "service_order.completed": "{actor} completed the order {subject} of a digital service",
    "service_order.failed": "{actor} failed the order {subject} of a digital service",
}
