"""What each operation of the versioned family takes and answers. Only ever added to.

Those of bodies and queries validate. Those of answers describe: the contract test and the published
schema read them. The hot path builds the same fields by hand, and a test holds the two together.
"""

from rest_framework import serializers

from api.gateway.fields import StrictChoice
from api.gateway.pages import PageQuery
from api.sandbox.models import Account, EntryType
from api.v1.described import Described, DescribedAmount
from console.core.money import CURRENCIES


class ContextBusiness(Described):
    """The business that a key belongs to."""

    id = serializers.CharField(help_text="The id of the business.")
    name = serializers.CharField(help_text="Its registered name.")
    status = serializers.CharField(help_text="`active` while its calls are served.")
    risk_tier = serializers.CharField(
        allow_null=True, help_text="Always null: we do not publish how we rate a business."
    )


class ContextRotation(Described):
    """How far the exchange of a key's secret has come."""

    state = serializers.CharField(
        help_text="`awaiting_first_use` until the new secret is used, then `grace`."
    )
    old_secret_ends_at = serializers.DateTimeField(help_text="When the old secret stops.")


class ContextAllowlist(Described):
    """The networks that may use the key: of the business, of the key, and the one that matched."""

    business = serializers.ListField(
        child=serializers.CharField(), help_text="Networks of the business."
    )
    key = serializers.ListField(
        child=serializers.CharField(), help_text="Networks of the key itself."
    )
    matched = serializers.CharField(
        allow_null=True, help_text="The network that let this call in; null where no list is kept."
    )


class ContextKey(Described):
    """The key that calls. Never its secret."""

    id = serializers.CharField(help_text="The id of the key: the half before the colon.")
    name = serializers.CharField(help_text="What its people call it.")
    environment = serializers.ChoiceField(
        choices=["sandbox", "live"], help_text="The world that the key belongs to."
    )
    scopes = serializers.ListField(child=serializers.CharField(), help_text="What the key may do.")
    expires_at = serializers.DateTimeField(help_text="When the key ends.")
    rotation = ContextRotation(
        allow_null=True, help_text="How far a rotation has come; null when none is under way."
    )
    allowlist = ContextAllowlist(help_text="From where the key may be used.")


class ContextLimit(Described):
    """A limit and what is left of it; one whose window is 0 counts the calls in flight."""

    policy = serializers.CharField(help_text="The name of the limit.")
    quota = serializers.IntegerField(help_text="Calls that come back in each window.")
    window = serializers.IntegerField(help_text="The window, in seconds.")
    remaining = serializers.IntegerField(help_text="Calls that are left now, bursts included.")


class ContextVersion(Described):
    """Which version this call speaks."""

    pinned = serializers.CharField(help_text="The version that calls speak which name none.")
    used = serializers.CharField(help_text="The version that this call speaks.")
    latest = serializers.CharField(help_text="The newest version.")
    sunset = serializers.DateField(
        allow_null=True,
        help_text="The day from which the used version is refused; null while none is set.",
    )


class ApiContext(Described):
    """GET /me: everything that the gateway knows about the calling key."""

    object = serializers.ChoiceField(choices=["api_context"], help_text="What this is.")
    business = ContextBusiness(help_text="The business that the key belongs to.")
    key = ContextKey(help_text="The key that calls. Never its secret.")
    products = serializers.ListField(
        child=serializers.CharField(), help_text="Products that are on for the business here."
    )
    limits = ContextLimit(many=True, help_text="Every limit of the key, with what is left.")
    api_version = ContextVersion(help_text="Which version this call speaks.")
    client_ip = serializers.CharField(help_text="The address that we saw you call from.")
    request_id = serializers.CharField(
        help_text="The id of this call. Keep it: we find the call by it."
    )


class BalanceItem(Described):
    """What is held of one currency. Amounts are decimal strings."""

    object = serializers.ChoiceField(choices=["balance"], help_text="What this is.")
    currency = serializers.ChoiceField(choices=list(CURRENCIES), help_text="The currency or asset.")
    available = DescribedAmount("currency", help_text="What you can spend now.")
    pending = DescribedAmount("currency", help_text="What is on its way in.")
    reserved = DescribedAmount("currency", help_text="What is held for payments that have begun.")
    total = DescribedAmount("currency", help_text="The three together.")
    last_reconciled_at = serializers.DateTimeField(
        allow_null=True,
        help_text="When it last proved to be the sum of its movements; null before the first time.",
    )


class BalanceQuery(PageQuery):
    """GET /balances: of all currencies, or of those that are named."""

    currency = serializers.ListField(
        child=StrictChoice(choices=list(CURRENCIES)),
        default=list,
        help_text="Only these currencies. Repeat the parameter for more than one.",
    )


class TransactionItem(Described):
    """A movement of a balance: from one of its accounts to another, or from or to outside."""

    id = serializers.CharField(help_text="The id of the movement.")
    object = serializers.ChoiceField(choices=["transaction"], help_text="What this is.")
    type = serializers.ChoiceField(choices=EntryType.values, help_text="What moved the money.")
    amount = DescribedAmount("currency", help_text="How much was moved, as a decimal text.")
    currency = serializers.ChoiceField(choices=list(CURRENCIES), help_text="The currency or asset.")
    direction = serializers.ChoiceField(
        choices=["credit", "debit", "internal"],
        help_text="`credit` where money came in, `debit` where it left, `internal` where it only"
        " went from one account of the balance to another.",
    )
    from_account = serializers.ChoiceField(
        choices=Account.values, help_text="The account of the balance that it left."
    )
    to_account = serializers.ChoiceField(
        choices=Account.values, help_text="The account of the balance that it reached."
    )
    balance_after = DescribedAmount("currency", help_text="The total of the balance after it.")
    source = serializers.CharField(  # type: ignore[assignment]  # as DRF has it
        allow_null=True,
        help_text="The id of what moved it, such as a payout; null for the opening of a balance.",
    )
    created_at = serializers.DateTimeField(help_text="When it moved.")


class TransactionQuery(BalanceQuery):
    """GET /transactions: of all currencies, or of those that are named."""


class SentBankAccount(Described):
    """A bank account, as it was sent."""

    account_name = serializers.CharField(help_text="Whose account it is.")
    country = serializers.CharField(help_text="The country of the bank.")
    account_number = serializers.CharField(
        required=False, help_text="The account’s number, where it was sent."
    )
    iban = serializers.CharField(required=False, help_text="The IBAN, where it was sent.")
    bank_code = serializers.CharField(
        required=False, help_text="The bank’s local code, where it was sent."
    )
    bic = serializers.CharField(required=False, help_text="The bank’s BIC, where it was sent.")
