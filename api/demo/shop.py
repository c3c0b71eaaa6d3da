"""The demo's coffee shop: its orders open sessions, and it plays the bank of its payers."""

from django.shortcuts import get_object_or_404

from api.demo import checkout, world
from api.sandbox.models import CheckoutSession
from apikeys.lifecycle import Environment
from console.accounts.models import Business

PRODUCT = "Kiosk blend, 1 kg"
PRICE = 18_500_00


def order() -> CheckoutSession:
    """Open a session for one bag of coffee."""
    business = get_object_or_404(Business, public_id=world.made().get("kettle"))
    return checkout.open_session(business, PRODUCT, PRICE)


def pay(session_id: str, part: str) -> None:
    """Pay an open session of the shop's business: `half` of what is outstanding, or the rest."""
    session = get_object_or_404(
        CheckoutSession.objects.select_related("business", "account"),
        public_id=session_id,
        business__public_id=world.made().get("kettle"),
        environment=Environment.SANDBOX,
    )
    amount = session.outstanding // 2 if part == "half" else session.outstanding
    if amount:
        checkout.pay(session, amount)
