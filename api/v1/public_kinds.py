"""Event types of the API's objects. Their `data` is the object as GET returns it."""

from collections.abc import Mapping
from functools import cache, partial
from operator import not_
from typing import Any, ClassVar, Literal

from pydantic import Field, create_model
from rest_framework import serializers

from api.payments.lifecycle import DisbursementStatus
from api.payments.models import (
    CardTransaction,
    Conversion,
    CryptoWithdrawal,
    Disbursement,
    FlightBooking,
    OtcOrder,
    OwnedObject,
    Payout,
    PayrollRun,
    Refund,
    SavingsMovement,
    ServiceOrder,
    Transfer,
)
from api.payments.models.disbursement import failure
from api.serializers import (
    ObjectField,
    ResourceSerializer,
    SerializerClass,
    name_of,
    shared,
)
from api.v1.cards import CardSerializer, CardTransactionSerializer
from api.v1.conversions import ConversionSerializer
from api.v1.crypto import CryptoWithdrawalSerializer
from api.v1.digital_services import DigitalServiceOrderSerializer
from api.v1.examples import (
    accounts,
    assets,
    cards,
    digital_services,
    exchange,
    flights,
    identity_verifications,
    payouts,
    payroll,
    remittance,
    savings,
)
from api.v1.flights import FlightBookingSerializer
from api.v1.identity_verifications import IdentityVerificationSerializer
from api.v1.otc import OtcOrderSerializer
from api.v1.payouts import PayoutSerializer
from api.v1.payroll import PayrollRunSummarySerializer
from api.v1.refunds import RefundSerializer
from api.v1.savings import SavingsMovementSerializer
from api.v1.transfers import TransferSerializer
from api.v1.virtual_accounts import VirtualAccountSerializer
from console.events import public_kinds
from console.events.models import Event
from console.events.public_kinds import PublicData, PublicKind, Told

Example = Mapping[str, Any]


class ResourceData(PublicData):
    """The `data` of an event about an object of the API: the object, as `serializer` shows it."""

    serializer: ClassVar[SerializerClass]


# Model, serializer, example, and the name in internal events if it differs.
_DISBURSEMENTS: tuple[tuple[type[Disbursement], SerializerClass, Example, str], ...] = (
    (Payout, PayoutSerializer, payouts.PAYOUT, ""),
    (PayrollRun, PayrollRunSummarySerializer, payroll.PAYROLL_RUN, ""),
    (Transfer, TransferSerializer, remittance.TRANSFER, ""),
    (Conversion, ConversionSerializer, exchange.CONVERSION, ""),
    (OtcOrder, OtcOrderSerializer, assets.OTC_ORDER, ""),
    (CryptoWithdrawal, CryptoWithdrawalSerializer, assets.WITHDRAWAL, ""),
    (CardTransaction, CardTransactionSerializer, cards.CARD_TRANSACTION, ""),
    (Refund, RefundSerializer, accounts.REFUND, ""),
    (SavingsMovement, SavingsMovementSerializer, savings.MOVEMENT, ""),
    (ServiceOrder, DigitalServiceOrderSerializer, digital_services.SERVICE_ORDER, "service_order"),
    (FlightBooking, FlightBookingSerializer, flights.FLIGHT_BOOKING, ""),
)
_ACCOUNTS = {
    "pending": "The requested information about a virtual account was supplied.",
    "requires_action": "The provider needs more information about a virtual account.",
    "active": "A virtual account can receive money, for the first time or after a freeze.",
    "frozen": "A virtual account was frozen. We hold money that arrives.",
    "closed": "A virtual account was closed permanently.",
    "failed": "A virtual account was refused, or the requested information was not supplied.",
}
_CARDS = {
    "created": "A card was issued.",
    "active": "A card can pay: its holder activated it, or it was unfrozen.",
    "frozen": "A card was frozen.",
    "terminated": "A card was terminated permanently.",
}


def register() -> None:
    """Register the event types. Call only from AppConfig.ready()."""
    for disbursement in _DISBURSEMENTS:
        _register_outcomes(*disbursement)
    for status, summary in _ACCOUNTS.items():
        sample = accounts.in_status(status)
        _register(f"virtual_account.{status}", summary, VirtualAccountSerializer, sample)
    for status, summary in _CARDS.items():
        sample = cards.CARD | ({} if status == "created" else {"status": status})
        _register(f"card.{status}", summary, CardSerializer, sample)
    _register(
        "identity_verification.completed",
        "An identity verification has a result.",
        IdentityVerificationSerializer,
        identity_verifications.IDENTITY_VERIFICATION,
    )


@cache
def schema_of(shape: SerializerClass) -> type[ResourceData]:
    """Return the schema of an event's `data`, built from this serializer."""
    members: dict[str, Any] = {
        name: (_type(field), _description(field)) for name, field in shape().fields.items()
    }
    schema = create_model(name_of(shape), __base__=ResourceData, __doc__=shape.__doc__, **members)
    schema.serializer = shape
    return schema


def _type(field: Any) -> Any:
    """Return the Python type of a serializer field's JSON values."""
    match field:
        case serializers.ListSerializer():
            child: Any = type(field.child)
            found: Any = list[schema_of(child)]  # type: ignore[misc]  # at run time
        case ResourceSerializer():
            found = schema_of(type(field))
        case serializers.ChoiceField():
            found = Literal.__getitem__(tuple(field.choices))
        case serializers.IntegerField():
            found = int
        case serializers.DictField():
            found = dict[str, str]
        case serializers.ListField():
            found = list[str]
        case _:
            found = str
    return found | None if field.allow_null else found


def _description(field: Any) -> Any:
    """Return the field with its description. Optional strings are left out if empty."""
    said = str(field.help_text)
    if field.required or field.allow_null:
        return Field(description=said)
    return Field(default_factory=str, exclude_if=not_, description=said)


def _register_outcomes(
    model: type[Disbursement], shape: SerializerClass, completed: Example, word: str
) -> None:
    """Register a disbursement's two events: completed, under its public status, and failed."""
    public = _word_of(shape)
    noun = public.replace("_", " ").replace("otc", "OTC")
    failed: dict[str, Any] = {"status": "failed"}
    if "failure" in completed:
        failed |= {"failure": failure(model.FAILURE), "completed_at": None}
    else:
        failed["failure_reason"] = model.FAILURE
    status = completed["status"]
    source = f"{word or public}."
    _register(
        f"{public}.{status}",
        f"The {noun} was {status}.",
        shape,
        completed,
        source + DisbursementStatus.COMPLETED,
    )
    _register(
        f"{public}.failed",
        f"The {noun} failed and the money was returned.",
        shape,
        {**completed, **failed},
        source + DisbursementStatus.FAILED,
    )


def _register(
    name: str, summary: str, shape: SerializerClass, example: Example, source: str = ""
) -> None:
    schema = schema_of(shape)
    sample = {name: example[name] for name in schema.model_fields}
    public_kinds.register(
        PublicKind(
            name=name,
            summary=summary,
            sample=schema.model_validate(sample),
            sources={source or name: partial(_tell, shape)},
        )
    )


def _tell(shape: SerializerClass, event: Event, row: OwnedObject) -> Told:
    return Told(
        business=row.business_id,
        resource_id=row.public_id,
        data=schema_of(shape).model_validate(shared(shape).to_representation(row)),
        environments=(row.environment,),
    )


def _word_of(shape: SerializerClass) -> str:
    found = shape().fields["object"]
    assert isinstance(found, ObjectField)
    return found.word
