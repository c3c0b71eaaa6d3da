"""Where an OTC order is, and what the log says of it."""

from api.resources import disbursements

OTC_ORDER_LIFECYCLE = disbursements.DISBURSEMENT_LIFECYCLE
SENTENCES = {
    "otc_order.created": "{actor} asked for the OTC order {subject}",
    "otc_order.completed": "{actor} completed the OTC order {subject}",
    "otc_order.failed": "{actor} failed the OTC order {subject}",
}
