"""What each operation of the versioned family takes and answers. Only ever added to.

Those of bodies and queries validate. Those of answers describe: the contract test and the published
schema read them. The hot path builds the same fields by hand, and a test holds the two together.
"""

from rest_framework import serializers

from api.gateway.fields import StrictChoice, StrictText
from api.gateway.pages import PageQuery
from api.resources.payouts.lifecycle import PayoutStatus
from api.v1.shared_fields import BankAccountSerializer, MetadataField, MoneySerializer
from console.core.money import CURRENCIES

Described = serializers.Serializer[object]


class ContextBusiness(Described):
    """The business that a key belongs to."""

    id = serializers.CharField()
    name = serializers.CharField()
    status = serializers.CharField()
    risk_tier = serializers.CharField(allow_null=True)


class ContextRotation(Described):
    """How far the exchange of a key's secret has come."""

    state = serializers.CharField()
    old_secret_ends_at = serializers.DateTimeField()


class ContextAllowlist(Described):
    """The networks that may use the key: of the business, of the key, and the one that matched."""

    business = serializers.ListField(child=serializers.CharField())
    key = serializers.ListField(child=serializers.CharField())
    matched = serializers.CharField(allow_null=True)


class ContextKey(Described):
    """The key that calls. Never its secret."""

    id = serializers.CharField()
    name = serializers.CharField()
    environment = serializers.ChoiceField(choices=["sandbox", "live"])
    scopes = serializers.ListField(child=serializers.CharField())
    expires_at = serializers.DateTimeField()
    rotation = ContextRotation(allow_null=True)
    allowlist = ContextAllowlist()


class ContextLimit(Described):
    """A limit and what is left of it; one whose window is 0 counts the calls in flight."""

    policy = serializers.CharField()
    quota = serializers.IntegerField()
    window = serializers.IntegerField()
    remaining = serializers.IntegerField()


class ContextVersion(Described):
    """Which version this call speaks."""

    pinned = serializers.CharField()
    used = serializers.CharField()
    latest = serializers.CharField()
    sunset = serializers.DateField(allow_null=True)


class ApiContext(Described):
    """GET /me: everything that the gateway knows about the calling key (D-06)."""

    object = serializers.ChoiceField(choices=["api_context"])
    business = ContextBusiness()
    key = ContextKey()
    products = serializers.ListField(child=serializers.CharField())
    limits = ContextLimit(many=True)
    api_version = ContextVersion()
    client_ip = serializers.CharField()
    request_id = serializers.CharField()


class BalanceShape(Described):
    """What is held of one currency. Amounts are decimal strings."""

    object = serializers.ChoiceField(choices=["balance"])
    currency = serializers.ChoiceField(choices=list(CURRENCIES))
    available = serializers.CharField()
    pending = serializers.CharField()
    reserved = serializers.CharField()
    total = serializers.CharField()
    last_reconciled_at = serializers.DateTimeField(allow_null=True)


class BalanceQuery(PageQuery):
    """GET /balances: of all currencies, or of those that are named (D-07)."""

    currency = serializers.ListField(child=StrictChoice(choices=list(CURRENCIES)), default=list)


class BalanceList(Described):
    """GET /balances: a page of balances (D-07)."""

    object = serializers.ChoiceField(choices=["list"])
    data = BalanceShape(many=True)  # type: ignore[assignment]  # a field, as DRF declares them
    has_more = serializers.BooleanField()
    next_cursor = serializers.CharField(allow_null=True)
    prev_cursor = serializers.CharField(allow_null=True)
    request_id = serializers.CharField()


class PayoutBody(MoneySerializer):
    """POST /payouts: what to pay out, and where to."""

    bank_account = BankAccountSerializer()
    reference = StrictText(max_length=140, required=False)
    metadata = MetadataField(required=False)


class PayoutBankAccount(Described):
    """The bank account of a payout, as it was sent."""

    account_name = serializers.CharField()
    country = serializers.CharField()
    account_number = serializers.CharField(required=False)
    iban = serializers.CharField(required=False)
    bank_code = serializers.CharField(required=False)
    bic = serializers.CharField(required=False)


class PayoutItem(Described):
    """A payout as a list shows it."""

    id = serializers.CharField()
    object = serializers.ChoiceField(choices=["payout"])
    status = serializers.ChoiceField(choices=PayoutStatus.values)
    amount = serializers.CharField()
    currency = serializers.ChoiceField(choices=list(CURRENCIES))
    bank_account = PayoutBankAccount()
    reference = serializers.CharField(allow_blank=True)
    failure_reason = serializers.CharField(allow_null=True)
    metadata = serializers.DictField(child=serializers.CharField(allow_blank=True))
    created_at = serializers.DateTimeField()


class PayoutShape(PayoutItem):
    """A payout."""

    request_id = serializers.CharField()


class PayoutList(Described):
    """GET /payouts: a page of payouts."""

    object = serializers.ChoiceField(choices=["list"])
    data = PayoutItem(many=True)  # type: ignore[assignment]  # a field, as DRF declares them
    has_more = serializers.BooleanField()
    next_cursor = serializers.CharField(allow_null=True)
    prev_cursor = serializers.CharField(allow_null=True)
    request_id = serializers.CharField()
