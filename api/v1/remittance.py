"""Beneficiaries, corridors and transfers: money to other people, along what is open."""

from collections.abc import Iterable

from rest_framework import serializers

from api.gateway.calls import ApiAnswer, Call
from api.gateway.fields import StrictSerializer, StrictText
from api.gateway.operations import Operation
from api.resources.disbursements import DisbursementStatus, failure
from api.resources.remittance import beneficiaries, corridors
from api.resources.remittance.models import Beneficiary, Transfer
from api.resources.remittance.transfers import TRANSFERS
from api.v1.callers import business_of, key_of
from api.v1.described import Described, answer_of, page_of
from api.v1.resource import Resource, require_provider
from api.v1.rows import reading_rows
from api.v1.shapes import PayoutBankAccount
from api.v1.shared_fields import (
    BankAccountSerializer,
    CountryField,
    CurrencyField,
    MetadataField,
    MoneySerializer,
)
from console.core.money import CURRENCIES, decimal
from onboarding.restrictions import refusing
from onboarding.restrictions.restricted_list import RestrictionScope, StatedPlace


class BeneficiaryBody(StrictSerializer):
    """POST /beneficiaries: who receives, and where."""

    name = StrictText(max_length=140)
    country = CountryField()
    currency = CurrencyField()
    account = BankAccountSerializer()
    metadata = MetadataField(required=False)


class BeneficiaryItem(Described):
    """A beneficiary. `account` is a bank account."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["beneficiary"])
    name = serializers.CharField()
    country = serializers.CharField()
    currency = serializers.ChoiceField(choices=list(CURRENCIES))
    account = PayoutBankAccount()
    metadata = serializers.DictField(child=serializers.CharField(allow_blank=True))
    created_at = serializers.DateTimeField()


class DeletedShape(Described):
    """What is left of an object that was deleted: its id."""

    id = serializers.CharField()
    object = serializers.CharField()
    deleted = serializers.BooleanField()
    request_id = serializers.CharField()


class CorridorItem(Described):
    """A corridor that is open to the business at this moment (D-09)."""

    object = serializers.ChoiceField(choices=["corridor"])
    source_currency = serializers.ChoiceField(choices=list(CURRENCIES))
    destination_country = serializers.CharField()
    destination_currency = serializers.CharField()
    rails = serializers.ListField(
        child=serializers.ChoiceField(choices=["bank", "mobile_money", "wallet"])
    )
    min_amount = serializers.CharField()
    max_amount = serializers.CharField()
    delivery_estimate = serializers.CharField()


class TransferBody(MoneySerializer):
    """POST /transfers: how much, to whom."""

    beneficiary_id = StrictText(max_length=40)
    reference = StrictText(max_length=140, required=False)
    metadata = MetadataField(required=False)


class FailureShape(Described):
    """Why it failed."""

    code = serializers.CharField()
    message = serializers.CharField()


class TransferItem(Described):
    """A transfer. `failure` is there once it has failed."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["transfer"])
    status = serializers.ChoiceField(choices=DisbursementStatus.values)
    amount = serializers.CharField()
    currency = serializers.ChoiceField(choices=list(CURRENCIES))
    fee = serializers.CharField()
    beneficiary_id = serializers.CharField()
    reference = serializers.CharField(allow_null=True)
    failure = FailureShape(allow_null=True)
    metadata = serializers.DictField(child=serializers.CharField(allow_blank=True))
    created_at = serializers.DateTimeField()
    completed_at = serializers.DateTimeField(allow_null=True)


PEOPLE = Resource(Beneficiary, BeneficiaryItem, provided=False)
RESOURCE = Resource(
    Transfer,
    TransferItem,
    # Fees are nothing in the sandbox, and no other provider is connected.
    computed={
        "fee": lambda columns: decimal(0, columns["currency"]),
        "failure": lambda columns: failure(columns["failure_code"]),
    },
    also=("failure_code",),
    settle=TRANSFERS.settle_due,
)


def create_beneficiary(call: Call) -> ApiAnswer:
    """Create a beneficiary."""
    body = call.body
    _refuse_restricted((body["country"], body["account"]["country"]))
    one = Beneficiary(business=business_of(call), environment=call.environment, **body)
    return PEOPLE.answer(beneficiaries.create(one, by=key_of(call)))


def delete_beneficiary(call: Call) -> ApiAnswer:
    """Delete a beneficiary; transfers under way go on."""
    one = PEOPLE.find(call, call.names["id"])
    beneficiaries.remove(one, by=key_of(call))
    return ApiAnswer({"id": one.public_id, "object": "beneficiary", "deleted": True})


def list_corridors(call: Call) -> ApiAnswer:
    """List the corridors that are open to the business at this moment."""
    require_provider(call)
    found = [
        {
            "object": "corridor",
            "source_currency": one.source_currency,
            "destination_country": one.end.country,
            "destination_currency": one.end.currency,
            "rails": list(one.end.rails),
            "min_amount": one.least.decimal(),
            "max_amount": one.most.decimal(),
            "delivery_estimate": one.end.delivery_estimate,
        }
        for one in corridors.available(call.record.tier)
    ]
    whole = {"has_more": False, "next_cursor": None, "prev_cursor": None}
    return ApiAnswer({"object": "list", "data": found, **whole})


def create(call: Call) -> ApiAnswer:
    """Transfer money from a balance to a beneficiary."""
    require_provider(call)
    body, money = call.body, call.body["money"]
    to = PEOPLE.find(call, body["beneficiary_id"])
    _refuse_restricted((to.country, to.account["country"]))
    corridors.require(money, to.country, call.record.tier, currency=to.currency)
    transfer = Transfer(
        business=business_of(call),
        environment=call.environment,
        amount=money.minor,
        currency=money.currency,
        beneficiary=to,
        **{name: body[name] for name in ("reference", "metadata") if name in body},
    )
    return RESOURCE.answer(TRANSFERS.create(transfer, tries=call.tries, by=key_of(call)))


def _refuse_restricted(countries: Iterable[str]) -> None:
    """Refuse what is restricted by the list in force, also where it was not when it was kept."""
    refusing.require_none([StatedPlace(one, RestrictionScope.CORRIDOR) for one in countries])


OPERATIONS = [
    *reading_rows(
        PEOPLE,
        "/beneficiaries",
        "remittance",
        "beneficiaries:read",
        ("beneficiaries", "beneficiary"),
    ),
    Operation(
        "beneficiaries.create",
        "POST",
        "/beneficiaries",
        product="remittance",
        scope="beneficiaries:write",
        function=create_beneficiary,
        body=BeneficiaryBody,
        example={
            "name": "Kwame Mensah",
            "country": "GH",
            "currency": "GHS",
            "account": {
                "account_name": "Kwame Mensah",
                "country": "GH",
                "account_number": "0123456789012",
                "bank_code": "GH030100",
            },
            "metadata": {"payroll": "yes"},
        },
        answer=answer_of(BeneficiaryItem),
        status=201,
    ),
    Operation(
        "beneficiaries.delete",
        "DELETE",
        "/beneficiaries/{id}",
        product="remittance",
        scope="beneficiaries:write",
        function=delete_beneficiary,
        answer=DeletedShape,
    ),
    Operation(
        "transfers.corridors",
        "GET",
        "/transfers/corridors",
        product="remittance",
        scope="transfers:read",
        function=list_corridors,
        answer=page_of(CorridorItem),
        codes=("NO_PROVIDER_ENABLED",),
    ),
    *reading_rows(
        RESOURCE, "/transfers", "remittance", "transfers:read", ("transfers", "transfer")
    ),
    Operation(
        "transfers.create",
        "POST",
        "/transfers",
        product="remittance",
        scope="transfers:write",
        function=create,
        body=TransferBody,
        example={
            "beneficiary_id": "ben_01kaxq7m0v3h5n8r2t4w6y9zbc",
            "amount": "250.00",
            "currency": "USD",
            "reference": "INV-42",
            "metadata": {"invoice": "42"},
        },
        answer=answer_of(TransferItem),
        status=201,
        codes=("INSUFFICIENT_BALANCE", "NO_PROVIDER_ENABLED"),
        kind="financial",
        financial=True,
    ),
]
