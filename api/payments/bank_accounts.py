"""Formats of account numbers and bank codes in the countries of our corridors.

python-stdnum checks IBANs and American routing numbers. No library that we know has the others.
Countries that are not here are checked by their length only.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from stdnum import iban
from stdnum.exceptions import ValidationError
from stdnum.iso7064 import mod_97_10
from stdnum.us import rtn

# Of the bank's code, with zeros before it, and of the first nine digits of the account number.
_NUBAN_WEIGHTS = (3, 7, 3) * 5
# Microfinance and other banks have five digits, which follow a 9 in the check.
_NUBAN_CODES = {3: "000", 5: "9"}


@dataclass(frozen=True)
class LocalFormat:
    """Patterns of an account number and of a bank's code, and what to send.

    Without an account number, accounts of the country need an IBAN. `is_bank` checks more of a
    code, and `fits` whether a number belongs to the code.
    """

    number: str = ""
    number_says: str = ""
    code: str = ""
    code_says: str = ""
    is_bank: Callable[[str], bool] = bool
    fits: Callable[[str, str], bool] = lambda number, code: True

    def is_number(self, number: str) -> bool:
        return re.fullmatch(self.number, number, re.ASCII) is not None

    def is_code(self, code: str) -> bool:
        return re.fullmatch(self.code, code, re.ASCII) is not None and self.is_bank(code)


def is_nuban(number: str, code: str) -> bool:
    """Tell whether the tenth digit is the check digit for the bank's code (CBN, NUBAN standard).

    A code of another length, such as that of NIP, does not take part in the check.
    """
    if len(code) not in _NUBAN_CODES:
        return True
    digits = f"{_NUBAN_CODES[len(code)]}{code}{number[:9]}"
    total = sum(int(digit) * weight for digit, weight in zip(digits, _NUBAN_WEIGHTS, strict=True))
    return int(number[9]) == -total % 10


# Lengths of the IBANs of countries that use them and are not in the register of SWIFT.
_UNREGISTERED = {
    "AO": 25, "BF": 28, "BJ": 28, "CF": 27, "CG": 27, "CI": 28, "CM": 27, "CV": 25, "DZ": 26,
    "GA": 27, "GQ": 27, "GW": 25, "IR": 26, "KM": 27, "MA": 28, "MG": 27, "ML": 28, "MZ": 25,
    "NE": 28, "SN": 28, "TD": 27, "TG": 28,
}  # fmt: skip


def is_iban(text: str) -> bool:
    """Tell whether an IBAN has the length of its country and valid check digits."""
    number = iban.compact(text)
    if (length := _UNREGISTERED.get(number[:2])) is None:
        return bool(iban.is_valid(number))
    try:
        mod_97_10.validate(number[4:] + number[:4])
    except ValidationError:
        return False
    return len(number) == length


_IBAN_ONLY = LocalFormat()
FORMATS: dict[str, LocalFormat] = {
    "NG": LocalFormat(
        r"[0-9]{10}", "Send the ten digits of a NUBAN.",
        r"[0-9]{3}|[0-9]{5,6}", "Send the bank’s code: 3, 5 or 6 digits.",
        fits=is_nuban,
    ),
    "GH": LocalFormat(
        r"[0-9]{10,16}", "Send 10 to 16 digits.",
        r"[0-9]{6}", "Send the sort code: 6 digits.",
    ),
    "KE": LocalFormat(
        r"[0-9]{6,14}", "Send 6 to 14 digits.",
        r"[0-9]{2}([0-9]{3})?", "Send the bank’s code: 2 digits, or 5 with the branch.",
    ),
    "ZA": LocalFormat(
        r"[0-9]{7,13}", "Send 7 to 13 digits.",
        r"[0-9]{6}", "Send the branch code: 6 digits.",
    ),
    "CD": LocalFormat(
        r"[0-9]{11,23}", "Send 11 to 23 digits.",
        r"[0-9]{5}", "Send the bank’s code: 5 digits.",
    ),
    "US": LocalFormat(
        r"[0-9]{4,17}", "Send 4 to 17 digits.",
        r"[0-9]{9}", "Send a valid routing number: 9 digits.",
        is_bank=rtn.is_valid,
    ),
    "GB": LocalFormat(
        r"[0-9]{8}", "Send 8 digits.",
        r"[0-9]{6}|[0-9]{2}-[0-9]{2}-[0-9]{2}", "Send the sort code: 6 digits.",
    ),
    "CA": LocalFormat(
        r"[0-9]{5,12}", "Send 5 to 12 digits.",
        r"0?[0-9]{8}", "Send the institution and the transit number: 8 or 9 digits.",
    ),
    **dict.fromkeys(("DE", "FR", "NL", "IE"), _IBAN_ONLY),
}  # fmt: skip
