"""Event types of checkout sessions: the specification's seven (6).

`checkout_session.paid` has two more fields, which say how it was settled.
"""

from functools import partial
from typing import Any, Literal

from pydantic import Field

from api.payments.lifecycle import CheckoutStatus
from api.payments.models import CheckoutSession, NotApplied
from console.core import clock
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PublicData, PublicKind, Told

SessionStatus = Literal["awaiting_payment", "paid", "underpaid", "expired", "cancelled"]


class CheckoutSessionData(PublicData):
    """A checkout session. Amounts are in minor units of the currency."""

    id: str = Field(description="The id of the session.")
    object: Literal["checkout_session"] = Field(
        default="checkout_session", description="The object type."
    )
    status: SessionStatus = Field(
        description="`awaiting_payment` until the session ends with another status."
    )
    method: Literal["bank_transfer", "crypto", "service_tag"] = Field(
        description="The payment method."
    )
    currency: str = Field(description="The currency or asset.")
    amount_minor: int = Field(description="The requested amount.")
    paid_amount_minor: int = Field(description="The amount received so far.")
    outstanding_amount_minor: int = Field(description="The amount still to pay.")
    reference: str | None = Field(description="Your own reference, or null.")
    expires_at: str = Field(description="When the session expires.")
    paid_at: str | None = Field(description="When it was paid, or null.")
    deposit_id: str | None = Field(description="The deposit that settled it, or null.")
    metadata: dict[str, str] = Field(description="Your own metadata, as you sent it.")


class SettledCheckoutSessionData(CheckoutSessionData):
    """A checkout session that is paid."""

    surplus_minor: int = Field(
        description="The amount paid beyond the requested amount. 0 if the payment was exact."
    )
    payments: int = Field(description="The number of partial payments.")


_EXAMPLE = {
    "id": "cs_7q2m4k9p1r6t8w3y5z0b2d4f6h",
    "status": "awaiting_payment",
    "method": "bank_transfer",
    "currency": "NGN",
    "amount_minor": 150_000,
    "paid_amount_minor": 0,
    "outstanding_amount_minor": 150_000,
    "reference": "ORD-1001",
    "expires_at": "2026-09-01T10:00:00Z",
    "paid_at": None,
    "deposit_id": None,
    "metadata": {},
}
_PART = {"paid_amount_minor": 100_000, "outstanding_amount_minor": 50_000}
_PAID = {
    "status": "paid",
    "paid_amount_minor": 155_000,
    "outstanding_amount_minor": 0,
    "paid_at": "2026-09-01T09:45:00Z",
    "deposit_id": "dep_01k3vq6t9z8q4j7m2n5p0r1s3u",
}


def register() -> None:
    """Register the event types. Call only from AppConfig.ready()."""
    public_kinds.register(
        _kind("created", "A payment request was opened. The payer can now pay."),
        _kind("pending", "We detected the first payment.", **_PART),
        _kind("partially_paid", "Another payment arrived, but more is due.", **_PART),
        _kind("underpaid", "The session expired before the full amount arrived.",
              **_PART, status="underpaid"),
        PublicKind(
            name="checkout_session.paid",
            summary="The payments received reached the requested amount.",
            sample=SettledCheckoutSessionData.model_validate(
                _EXAMPLE | _PAID | {"surplus_minor": 5_000, "payments": 2}
            ),
            sources={"checkout_session.paid": partial(_tell, SettledCheckoutSessionData)},
        ),
        _kind("expired", "The session expired and no payment counted.", status="expired"),
        _kind("cancelled", "You cancelled the payment request.", status="cancelled"),
    )  # fmt: skip


def _kind(name: str, summary: str, **members: object) -> PublicKind:
    return PublicKind(
        name=f"checkout_session.{name}",
        summary=summary,
        sample=CheckoutSessionData.model_validate(_EXAMPLE | members),
        sources={f"checkout_session.{name}": partial(_tell, CheckoutSessionData)},
    )


def _tell(shape: type[CheckoutSessionData], event: Event, session: CheckoutSession) -> Told:
    received = session.received
    if event.kind == "checkout_session.pending" and not received:
        # The first payment is seen, but not confirmed yet.
        confirming = session.payments.filter(not_applied=NotApplied.CONFIRMING)
        received = sum(confirming.values_list("amount", flat=True))
    data: dict[str, Any] = {
        "id": session.public_id,
        "status": str(session.status),
        "method": str(session.method),
        "currency": session.currency,
        "amount_minor": session.amount,
        "paid_amount_minor": received,
        "outstanding_amount_minor": max(session.amount - received, 0),
        "reference": session.reference or None,
        "expires_at": clock.iso(session.expires_at),
        "paid_at": clock.iso(session.paid_at) if session.paid_at else None,
        "deposit_id": session.deposit_id if session.status == CheckoutStatus.PAID else None,
        "metadata": session.metadata,
    }
    if shape is SettledCheckoutSessionData:
        counted = session.payments.filter(is_applied=True).count()
        data |= {"surplus_minor": session.surplus, "payments": counted}
    return Told(
        business=session.business_id,
        resource_id=session.public_id,
        data=shape.model_validate(data),
        environments=(session.environment,),
    )
