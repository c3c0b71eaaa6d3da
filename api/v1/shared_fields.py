"""Request fields shared by all operations: money, countries, addresses, bank accounts, metadata."""

import re
from datetime import UTC, date, datetime
from functools import partial
from typing import Any

import orjson
from rest_framework import serializers
from stdnum import bic, iban

from api.fields import (
    KeyText,
    StrictChoice,
    StrictSerializer,
    StrictText,
    mistake,
    mistake_at,
    together,
)
from api.payments import restricted_places
from api.payments.bank_accounts import FORMATS, is_iban
from api.problems import Fault, invalid
from api.v1.restricted_members import refuse_restricted
from console.core import clock
from console.core.money import ASSETS, CURRENCIES, Money, NotMoney
from onboarding.reference import countries, towns

COUNTRIES = sorted(countries.names())
_LARGEST = 2**63 - 1
_MOST_METADATA, _LONGEST_KEY, _LONGEST_VALUE, _METADATA_BYTES = 50, 40, 500, 8_000
_METADATA = (
    f"Send at most {_MOST_METADATA} strings of {_LONGEST_VALUE} characters, with keys of"
    f" {_LONGEST_KEY}, in {_METADATA_BYTES} bytes of JSON."
)
# Never the check digits of an IBAN, though their remainder can be right (ISO 13616).
_NO_CHECK_DIGITS = ("00", "01", "99")
# Territories whose BICs have their own country code, but whose IBANs have another country's.
_IBAN_COUNTRY = {"AX": "FI", "GG": "GB", "IM": "GB", "JE": "GB"} | dict.fromkeys(
    ("BL", "GF", "GP", "MF", "MQ", "NC", "PF", "PM", "RE", "WF", "YT"), "FR"
)
# AMOUNT_PATTERN refuses leading zeros, signs, exponents and the digits of other scripts.
_UNESCAPED_PLUS = re.compile(r"[0-9Tt:.-]+ [0-9]{2}:[0-9]{2}", re.ASCII)
AMOUNT_PATTERN = r"(?:0|[1-9][0-9]{0,17})(?:\.[0-9]{1,6})?"


class CurrencyField(StrictChoice):
    """A supported currency or asset."""

    def __init__(self, **more: Any) -> None:
        super().__init__(choices=list(CURRENCIES), **more)


class CountryField(StrictChoice):
    """A country by its two-letter code (ISO 3166-1, and XK for Kosovo)."""

    def __init__(self, **more: Any) -> None:
        super().__init__(choices=COUNTRIES, **more)


class AmountField(StrictText):
    """An amount as a decimal string, such as `1250.00`."""

    def __init__(self, **more: Any) -> None:
        says = "Send an amount as a string of digits, like 1250.00."
        super().__init__(pattern=AMOUNT_PATTERN, says=says, max_length=25, **more)


class MoneySerializer(StrictSerializer):
    """An amount with its currency; validated data also contains both as `money`."""

    amount = AmountField(
        help_text="The amount, above zero, with no more decimals than the currency has."
    )
    currency = CurrencyField(help_text="The currency or asset.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": money_of(attrs["amount"], attrs["currency"])}


class AssetField(StrictChoice):
    """An asset on a blockchain."""

    def __init__(self, **more: Any) -> None:
        super().__init__(choices=list(ASSETS), **more)


class AssetMoneySerializer(StrictSerializer):
    """An amount of an asset; validated data also contains both as `money`."""

    asset = AssetField(help_text="The asset.")
    amount = AmountField(
        help_text="The amount of the asset, above zero, with at most six decimals."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        return attrs | {"money": money_of(attrs["amount"], attrs["asset"])}


def money_of(amount: str, currency: str) -> Money:
    """Return a body's `amount` as money in a currency. Raises a validation error."""
    try:
        money = Money.parse(amount, currency)
    except NotMoney:
        said = f"This currency has at most {CURRENCIES[currency].exponent} decimal places."
        raise mistake_at("amount", "wrong_shape", said) from None
    if not is_holdable(money):
        said = "Send an amount above zero that a balance can hold."
        raise mistake_at("amount", "out_of_range", said)
    return money


def require_exchangeable(money: Money) -> Money:
    """Return a body's `amount` to be exchanged, or raise the error of less than a whole unit."""
    if money.minor < 10 ** CURRENCIES[money.currency].exponent:
        raise mistake_at("amount", "out_of_range", f"Send at least 1 {money.currency}.")
    return money


def is_holdable(money: Money) -> bool:
    """Tell whether an amount is above zero and within what a balance can hold."""
    return 0 < money.minor <= _LARGEST


def require_holdable(proceeds: Money) -> None:
    """Refuse an `amount` whose value in another currency rounds to zero or is too large."""
    if is_holdable(proceeds):
        return
    said = f"Send a smaller amount. Its value in {proceeds.currency} exceeds what a balance holds."
    if proceeds.minor <= 0:
        said = f"Send a larger amount. Its value in {proceeds.currency} is rounded to zero."
    raise invalid(Fault("/amount", "out_of_range", said))


class EmailField(StrictText):
    """An e-mail address, checked for its format only."""

    def __init__(self, **more: Any) -> None:
        # Domains may use letters of any script, but no ASCII except letters, digits, hyphens and
        # dots.
        label = r"[^\s\x00-,./:-@\[-`{-\x7f]+"
        pattern = rf"[^@\s<>\x22]{{1,64}}@{label}(?:\.{label})+"
        super().__init__(pattern=pattern, says="Send an e-mail address.", max_length=254, **more)


class PhoneField(StrictText):
    """A telephone number with country code (E.164)."""

    def __init__(self, **more: Any) -> None:
        says = "Send a number like +2348012345678."
        super().__init__(pattern=r"\+[1-9][0-9]{6,14}", says=says, max_length=16, **more)

    def to_internal_value(self, data: Any) -> str:
        try:
            return super().to_internal_value(data)
        except serializers.ValidationError as error:
            other = isinstance(data, str) and re.search(r"(?<!^)[^0-9]", data, re.ASCII)
            said: Any = error.detail
            if said[0].code != "wrong_shape" or not other:
                raise
            place = f"The character at position {other.start() + 1} is not a digit from 0 to 9."
            raise mistake("wrong_shape", f"{self.says} {place}") from None


class DayField(StrictText):
    """A date, such as `1990-05-17`; with `birth`, not in the future.

    `ahead` are the possible distances from today in UTC, in days.
    """

    def __init__(self, *, birth: bool = False, ahead: range | None = None, **more: Any) -> None:
        self.birth, self.ahead = birth, ahead
        pattern, says = r"[0-9]{4}-[0-9]{2}-[0-9]{2}", "Send a date like 1990-05-17."
        super().__init__(pattern=pattern, says=says, max_length=10, **more)

    def to_internal_value(self, data: Any) -> Any:
        text = super().to_internal_value(data)
        try:
            day = date.fromisoformat(text)
        except ValueError:
            raise mistake("wrong_shape", "This date does not exist.") from None
        ahead = (day - clock.now().date()).days
        if self.birth and ahead > 0:
            raise mistake("out_of_range", "Send a date that is not in the future.")
        if self.ahead is not None and ahead not in self.ahead:
            said = f"Send a date {self.ahead[0]} to {self.ahead[-1]} days from today, in UTC."
            raise mistake("out_of_range", said)
        return day


class MomentField(StrictText):
    """A time with its UTC offset, such as `2026-09-01T09:30:00Z` (RFC 3339)."""

    def __init__(self, **more: Any) -> None:
        pattern = (
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?"
            r"([Zz]|[+-][0-9]{2}:[0-9]{2})"
        )
        said = "Send a time like 2026-09-01T09:30:00Z."
        super().__init__(pattern=pattern, says=said, max_length=35, **more)

    def to_internal_value(self, data: Any) -> Any:
        # An unescaped + in a query string is decoded as a space.
        if isinstance(data, str) and _UNESCAPED_PLUS.fullmatch(data):
            raise mistake("wrong_shape", "Send the + of the time as %2B.")
        text = super().to_internal_value(data)
        try:
            # Truncate to microseconds.
            return datetime.fromisoformat(text.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            raise mistake("wrong_shape", "This time does not exist.") from None


class AddressSerializer(StrictSerializer):
    """A postal address."""

    line1 = StrictText(max_length=200, help_text="Number and street.")
    line2 = StrictText(max_length=200, required=False, help_text="Further address details.")
    city = StrictText(
        max_length=100,
        required=False,
        help_text="The city or town. Required, except in countries without towns, such as SG.",
    )
    state = StrictText(
        max_length=100,
        required=False,
        help_text="The state or region. In AE, send the emirate here or as `city`.",
    )
    postal_code = StrictText(max_length=20, required=False, help_text="The postal code.")
    country = CountryField(help_text="The country.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if not towns.is_complete(attrs["country"], attrs.get("city", ""), attrs.get("state", "")):
            raise mistake_at("city", "missing", "Send the city or town.")
        return attrs

    def to_representation(self, instance: dict[str, str]) -> dict[str, str]:
        return instance  # as sent; empty if there was none


class BankAccountSerializer(StrictSerializer):
    """A bank account: its number or IBAN, and the bank’s code or BIC."""

    account_name = StrictText(max_length=140, help_text="The account holder’s name.")
    country = CountryField(help_text="The country of the bank.")
    account_number = StrictText(
        pattern="[0-9A-Za-z]{4,34}",
        says="Send 4 to 34 letters and digits.",
        required=False,
        help_text=(
            "The account number, in the format of the country: ten digits with a check digit in "
            "Nigeria (NUBAN). Send either this or `iban`, which Germany, France, Ireland and the "
            "Netherlands require."
        ),
    )
    iban = StrictText(
        max_length=34,
        required=False,
        help_text=(
            "The IBAN without spaces. Its check digits must be valid and its country must match "
            "the bank’s. If you send it, `bank_code` and `bic` are optional."
        ),
    )
    bank_code = StrictText(
        pattern="[0-9A-Za-z-]{2,20}",
        says="Send 2 to 20 letters and digits.",
        required=False,
        help_text=(
            "The bank’s local code, in the format of the country, such as the sort code or the "
            "routing number. Without `iban`, send either this or `bic`."
        ),
    )
    bic = StrictText(
        max_length=11,
        required=False,
        help_text=("The bank’s BIC, 8 or 11 characters. Its country must match the bank’s."),
    )

    def validate_iban(self, value: str) -> str:
        if not is_iban(value) or value[2:4] in _NO_CHECK_DIGITS:
            raise mistake("wrong_shape", "This is not a valid IBAN. Check its length and digits.")
        if iban.compact(value) != value:
            raise mistake("wrong_shape", "Send the IBAN in capital letters, without spaces.")
        return value

    def validate_bic(self, value: str) -> str:
        if not bic.is_valid(value) or bic.compact(value) != value:
            raise mistake("wrong_shape", "Send a BIC of 8 or 11 capital letters and digits.")
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        # Before its parts are compared: a restricted country cannot be corrected.
        readable = dict(attrs)
        if "country" in readable:
            refuse_restricted(restricted_places.account_places(readable))
        together(
            partial(_check_account, attrs),
            partial(_check_bank, attrs),
            partial(
                _check_country, attrs, "iban", slice(2), "The IBAN belongs to another country."
            ),
            partial(
                _check_country,
                attrs,
                "bic",
                slice(4, 6),
                "The BIC belongs to another country than the bank.",
            ),
        )
        return attrs


def _check_account(attrs: dict[str, Any]) -> None:
    """Require a number in the country's format, or an IBAN."""
    own = FORMATS.get(attrs["country"])
    if own and not own.number and "iban" not in attrs:
        said = "Send the IBAN. Accounts in this country need one."
        raise mistake_at("account_number" if "account_number" in attrs else "iban", "missing", said)
    _one_of(attrs, "account_number", "iban")
    number, code = attrs.get("account_number", ""), attrs.get("bank_code", "")
    for member, value in (("account_number", number), ("bank_code", code)):
        if value and not value.strip("0-"):
            raise mistake_at(member, "wrong_shape", "Send a number that is not only zeros.")
    if not own or not number:
        return
    if not own.is_number(number):
        raise mistake_at("account_number", "wrong_shape", own.number_says)
    if own.is_code(code) and not own.fits(number, code):
        said = "The check digit does not match. Check the account number and the bank’s code."
        raise mistake_at("account_number", "wrong_shape", said)


def _check_bank(attrs: dict[str, Any]) -> None:
    """Require the bank’s code in the country's format, or its BIC, unless there is an IBAN."""
    if "iban" in attrs:
        return
    own = FORMATS.get(attrs["country"])
    if own and not own.number:
        return
    _one_of(attrs, "bank_code", "bic")
    if own and "bank_code" in attrs and not own.is_code(attrs["bank_code"]):
        raise mistake_at("bank_code", "wrong_shape", own.code_says)


def _check_country(attrs: dict[str, Any], member: str, part: slice, says: str) -> None:
    """Refuse an IBAN or BIC of another country than the bank."""
    there, of_bank = attrs.get(member, "")[part], attrs["country"]
    if there and _IBAN_COUNTRY.get(there, there) != _IBAN_COUNTRY.get(of_bank, of_bank):
        raise mistake_at(member, "wrong_country", says)


class MetadataField(serializers.DictField):
    """Client-defined strings, returned as sent."""

    child = StrictText(max_length=_LONGEST_VALUE, allow_blank=True, prose=True)

    def __init__(self, **more: Any) -> None:
        says = f"Your own metadata. We return it as you sent it. {_METADATA}"
        super().__init__(**{"help_text": says} | more)

    def to_internal_value(self, data: Any) -> dict[str, str]:
        if not isinstance(data, dict):
            raise mistake("wrong_type", "Send an object.")
        keys = KeyText(min_length=1, max_length=_LONGEST_KEY, prose=True)
        for number, key in enumerate(data, start=1):
            keys.numbered(number, key)
        values: dict[str, str] = super().to_internal_value(data)
        if len(values) > _MOST_METADATA or len(orjson.dumps(values)) > _METADATA_BYTES:
            raise mistake("too_long", _METADATA)
        return values


def _one_of(attrs: dict[str, Any], first: str, second: str) -> None:
    if (first in attrs) == (second in attrs):
        raise mistake_at(first, "one_of_two", f"Send either {first} or {second}.")
