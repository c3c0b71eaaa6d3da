"""What answers of several modules show."""

from rest_framework import serializers

from api.serializers import ResourceSerializer


class SentBankAccount(ResourceSerializer):
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
