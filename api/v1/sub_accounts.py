"""POST /sub-accounts, and the test helpers that move one: sub-accounts of a business."""

from collections.abc import Callable

from rest_framework import serializers

from api.gateway.envelopes import SECOND_FAMILY, succeeded
from api.gateway.fields import StrictSerializer
from api.gateway.operations import TEST_HELPERS, ApiAnswer, Call, Operation, OperationFunction
from api.sandbox import sub_accounts
from api.sandbox.lifecycle import SubAccountStatus
from api.sandbox.models import SubAccount
from api.v1.callers import business_of, key_of
from api.v1.described import Described, result_of
from api.v1.examples import second_family as examples
from api.v1.resource import Resource, require_provider
from api.v1.shared_fields import EmailField

CREATED = "Sub-account created successfully"
SubAccountVerb = Callable[..., SubAccount]


class SubAccountBody(StrictSerializer):
    """POST /sub-accounts: whose account it is."""

    email = EmailField(help_text="The e-mail address of who will hold it.")


class SubAccountItem(Described):
    """A sub-account that is linked to your business."""

    reference = serializers.CharField(help_text="The reference of the sub-account.")
    email = serializers.CharField(help_text="The e-mail address of who holds it.")
    status = serializers.ChoiceField(
        choices=SubAccountStatus.values,
        help_text="`pending` until its holder has accepted and was checked.",
    )
    createdAt = serializers.DateTimeField(help_text="When you created it.")  # noqa: N815


RESOURCE = Resource(
    SubAccount, SubAccountItem, columns={"reference": "public_id", "createdAt": "created_at"}
)


def create(call: Call) -> ApiAnswer:
    """Create a sub-account that is linked to your business.

    The same address again is answered with the one there is, until that was rejected or closed.
    """
    require_provider(call)
    account = sub_accounts.create(
        business_of(call), call.environment, call.body["email"], by=key_of(call)
    )
    return ApiAnswer(succeeded(CREATED, RESOURCE.show(account)))


def _helper(
    word: str, verb: SubAccountVerb, message: str, status: SubAccountStatus, does: str
) -> Operation:
    def move(call: Call) -> ApiAnswer:
        account = verb(RESOURCE.find(call, call.names["id"]), by=key_of(call))
        return ApiAnswer(succeeded(message, RESOURCE.show(account)))

    move.__doc__ = does
    function: OperationFunction = move
    return Operation(
        f"sub_accounts.{word}",
        "POST",
        f"{TEST_HELPERS}sub-accounts/{{id}}/{word}",
        product="customers",
        scope="customers:write",
        function=function,
        answer=result_of(SubAccountItem),
        envelope=SECOND_FAMILY,
        example=examples.moved_sub_account(message, status),
    )


OPERATIONS = [
    Operation(
        "sub_accounts.create",
        "POST",
        "/sub-accounts",
        product="customers",
        scope="customers:write",
        function=create,
        body=SubAccountBody,
        answer=result_of(SubAccountItem),
        envelope=SECOND_FAMILY,
        example=examples.NEW_SUB_ACCOUNT,
        status=201,
        codes=("NO_PROVIDER_ENABLED",),
    ),
    _helper(
        "activate",
        sub_accounts.activate,
        "Sub-account activated",
        SubAccountStatus.ACTIVE,
        "Activate a pending sub-account: its holder accepts, and passes the checks.",
    ),
    _helper(
        "reject",
        sub_accounts.reject,
        "Sub-account rejected",
        SubAccountStatus.REJECTED,
        "Reject a pending sub-account: its holder does not pass the checks.",
    ),
    _helper(
        "suspend",
        sub_accounts.suspend,
        "Sub-account suspended",
        SubAccountStatus.SUSPENDED,
        "Suspend an active sub-account, as compliance would.",
    ),
    _helper(
        "lift",
        sub_accounts.lift,
        "Suspension lifted",
        SubAccountStatus.ACTIVE,
        "Lift the suspension of a sub-account, as compliance would.",
    ),
    _helper(
        "close",
        sub_accounts.close,
        "Sub-account closed",
        SubAccountStatus.CLOSED,
        "Close a sub-account: nobody accepts in 14 days, or it is no longer wanted.",
    ),
]
