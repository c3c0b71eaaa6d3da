"""Where an OTC order is, and what the log says of it."""

from api.sandbox.lifecycle import DISBURSEMENT_LIFECYCLE

OTC_ORDER_LIFECYCLE = DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "otc_order.created": "{actor} asked for the OTC order {subject}",
    "otc_order.completed": "{actor} completed the OTC order {subject}",
    "otc_order.failed": "{actor} failed the OTC order {subject}",
}
