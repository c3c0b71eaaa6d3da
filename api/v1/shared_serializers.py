"""Response serializers that several modules share."""

from rest_framework import serializers

from api.serializers import ResourceSerializer


class SentBankAccountSerializer(ResourceSerializer):
    """A bank account, as you sent it."""

    account_name = serializers.CharField(help_text="The account holder’s name.")
    country = serializers.CharField(help_text="The country of the bank.")
    account_number = serializers.CharField(
        required=False, help_text="The account number, if you sent it."
    )
    iban = serializers.CharField(required=False, help_text="The IBAN, if you sent it.")
    bank_code = serializers.CharField(
        required=False, help_text="The bank’s local code, if you sent it."
    )
    bic = serializers.CharField(required=False, help_text="The bank’s BIC, if you sent it.")
