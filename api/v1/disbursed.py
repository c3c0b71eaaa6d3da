"""What answers about disbursements have in common."""

from rest_framework import serializers

from api.resources.disbursements import failure
from api.v1.described import Described
from api.v1.resource import Member
from console.core.money import decimal


class FailureShape(Described):
    """Why it failed."""

    code = serializers.CharField(help_text="The reason, to branch on.")
    message = serializers.CharField(help_text="The reason in words.")


# Fees are nothing in the sandbox, and no other provider is connected.
DISBURSED: dict[str, Member] = {
    "fee": lambda columns: decimal(0, columns["currency"]),
    "failure": lambda columns: failure(columns["failure_code"]),
}
