"""Numbers of companies, by country: their local name, an example, and the form that is stored.

canonical("GB", "sc 12345")                    -> "SC012345"
canonical("FR", "RCS Paris B 443 121 975")     -> "443 121 975"
canonical("CH", "CHE-107.787.577 MWST")        -> "CHE-107.787.577"
canonical("NL", "123")                         -> "00000123"
canonical("SE", "556188-8405")                 -> "", for the last digit is wrong
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stdnum import get_cc_module, lei
from stdnum.exceptions import ValidationError
from stdnum.fr import siren

from onboarding.reference import german_courts

# Returns the number as its register writes it, or "" if it is none.
NumberReader = Callable[[str], str]


@dataclass(frozen=True)
class NumberKind:
    """The number that a country's register gives: its local name, an example, how it is read.

    `labels` are written before or after it. Other countries have any of ANY.
    """

    name: str
    example: str
    read: NumberReader
    labels: str = ""


# Beside a number, in many languages.
_LABELS = frozenset(
    [
        "N",
        "NO",
        "NR",
        "NUM",
        "NUMBER",
        "NUMERO",
        "NUMMER",
        "NUMÉRO",
        "NUMER",
        "COMPANY",
        "REGISTRATION",
        "REGISTERED",
        "REGISTER",
        "REG",
        "CODE",
        "TAX",
        "VAT",
        "ID",
    ]
)
_LEI_LENGTH = 20
ANY = re.compile(r"[^\W_][\w &/.()-]{0,39}")


def _tight(text: str) -> str:
    return re.sub(r"[\s./\u00b7\u2010-\u2015-]", "", text)


def _checked(country: str, *modules: str, form: str = "", zeros: int = 0) -> NumberReader:
    """Read by the check digits of one of these modules; `form` shows how it is punctuated."""

    def read(text: str) -> str:
        for name in modules:
            module = get_cc_module(country, name)
            assert module is not None, f"stdnum has no {name} of {country}"
            try:
                found = module.validate(_tight(text).zfill(zeros))
            except ValidationError:
                continue
            return _punctuated(found, form)
        return ""

    return read


def _shaped(pattern: str, written: str = r"\g<0>", *, zeros: int = 0) -> NumberReader:
    """Read by a pattern over the number without blanks and punctuation; see `re.Match.expand`.

    `zeros` is the length of a number to which zeros are added after its letters.
    """
    shape = re.compile(pattern)

    def read(text: str) -> str:
        tight = _tight(text)
        if zeros and (parts := re.fullmatch(r"([A-Z]*)([0-9]+)", tight)):
            tight = parts[1] + parts[2].zfill(zeros - len(parts[1]))
        found = shape.fullmatch(tight)
        return found.expand(written) if found else ""

    return read


def _first(*readers: NumberReader) -> NumberReader:
    def read(text: str) -> str:
        return next((found for reader in readers if (found := reader(text))), "")

    return read


def _last(digits: int, reader: NumberReader, of: str) -> NumberReader:
    """Read the last digits of a longer number, such as a VAT number, if all of it fits `of`."""
    return lambda text: reader(_tight(text)[-digits:]) if re.fullmatch(of, _tight(text)) else ""


def _as_written(pattern: str) -> NumberReader:
    """Read a number whose punctuation matters, without its blanks."""
    shape = re.compile(pattern)

    def read(text: str) -> str:
        closed = re.sub(r"[\u2010-\u2015]", "-", re.sub(r"\s", "", text))
        return closed if shape.fullmatch(closed) else ""

    return read


def _punctuated(digits: str, form: str) -> str:
    """Return the characters in the places of the zeros of a form: `000000-0000`."""
    if form.count("0") != len(digits):
        return digits
    left = iter(digits)
    return "".join(next(left) if char == "0" else char for char in form)


def _german(text: str) -> str:
    return german_courts.split(text)[1]


def _french(text: str) -> str:
    """Read a SIREN, also with the town of its register, or the SIREN of a SIRET or VAT number."""
    found = _FRENCH.search(text)
    digits = _tight(found[0]) if found else ""
    if len(digits) not in (9, 14):
        digits = (
            _tight(text)[-9:] if re.fullmatch("(?:FR)?[0-9A-Z]{2}[0-9]{9}", _tight(text)) else ""
        )
    return _punctuated(digits[:9], "000 000 000") if siren.is_valid(digits[:9]) else ""


_FRENCH = re.compile(r"(?<![^\W_])[0-9](?:[ .]?[0-9]){8,13}(?![^\W_])")
# Companies House: R for old companies of Northern Ireland; some societies end in a letter.
_BRITISH = r"(?:[0-9]{2}|[A-Z]{2}|R[0-9])[0-9]{6}|(?:IP|NP|RS|SP)[0-9A-Z]{6}|SL[0-9]{5}[0-9A]"
_ACN = _checked("au", "acn", form="000 000 000")
_SWISS = r"CHE?([0-9]{3})([0-9]{3})([0-9]{3})(?:MWST|TVA|IVA|VAT|HR)?"

KINDS = {
    "AE": NumberKind("trade licence number", "CN-1234567", _as_written(ANY.pattern)),
    "AR": NumberKind("CUIT", "20-05536168-2", _checked("ar", "cuit", form="00-00000000-0"), "CUIT"),
    "AT": NumberKind("Firmenbuchnummer", "FN 122119m",
        lambda text: f"FN {one}" if (one := _checked("at", "businessid")(text.lower())) else ""),
    "AU": NumberKind("ACN", "004 085 616",
        _first(_ACN, _last(9, _ACN, "[0-9]{11}"), _checked("au", "abn", form="00 000 000 000")),
        "ACN ABN ARBN"),
    "BE": NumberKind("ondernemingsnummer", "0403.019.261",
        _checked("be", "vat", form="0000.000.000"), "KBO BCE RPM RPR TVA BTW"),
    "BG": NumberKind("ЕИК", "175074752", _checked("bg", "vat"), "ЕИК EIK БУЛСТАТ"),
    "BR": NumberKind("CNPJ", "16.727.230/0001-97",
        _checked("br", "cnpj", form="00.000.000/0000-00"), "CNPJ"),
    "CH": NumberKind("UID", "CHE-107.787.577",
        lambda text: _checked("ch", "uid", form="000-000.000.000")(
            re.sub(f"^{_SWISS}$", r"CHE\1\2\3", _tight(text))), "UID IDE IDI"),
    "CL": NumberKind("RUT", "76.086.428-5", _checked("cl", "rut", form="00.000.000-0"), "RUT"),
    "CN": NumberKind("统一社会信用代码", "91110000600037341L", _checked("cn", "uscc")),
    "CO": NumberKind("NIT", "213.123.432-1", _checked("co", "nit", form="000.000.000-0"), "NIT"),
    "CY": NumberKind("αριθμός εγγραφής", "HE 123456", _shaped("(HE|ΗΕ|EE|C|B|O|P|AE)?([0-9]{1,6})",
        r"\1 \2")),
    "CZ": NumberKind("IČO", "25123891", _checked("cz", "dic", zeros=8), "IČO IČ ICO IC DIČ DIC"),
    "DE": NumberKind("Handelsregisternummer", "HRB 245178", _german),
    "DK": NumberKind("CVR-nummer", "13585628", _checked("dk", "cvr"), "CVR CVRNR CVR-NR SE"),
    "EE": NumberKind("registrikood", "12345678", _checked("ee", "registrikood"), "REGISTRIKOOD"),
    "ES": NumberKind("NIF", "B58378431",
        _first(_checked("es", "cif"), _as_written("[A-Z]{1,2}-?[0-9]{1,6}")),
        "NIF CIF HOJA"),
    "FI": NumberKind("Y-tunnus", "2077474-0",
        _checked("fi", "ytunnus", form="0000000-0", zeros=8), "Y-TUNNUS FO-NUMMER ALV"),
    "FR": NumberKind("SIREN", "443 121 975",
        _first(_french, _shaped("W[0-9]{9}")),
        "SIREN SIRET RNA TVA RCS"),
    "GB": NumberKind("company number", "01234567 or SC012345", _shaped(_BRITISH, zeros=8),
        "COMPANIES HOUSE CRN CO"),
    "GH": NumberKind("company number", "CS123456789", _shaped("[A-Z]{0,3}[0-9]{1,12}")),
    "GR": NumberKind("αριθμός ΓΕΜΗ", "123456701000",
        _first(_shaped("[0-9]{10,12}", zeros=12), _checked("gr", "vat")), "ΓΕΜΗ GEMI ΑΦΜ AFM EL"),
    "HK": NumberKind("company number", "1234567",
        _first(_shaped("[0-9]{1,8}"), _shaped("([0-9]{8})[0-9A-Z]{8}", r"\1")),
        "CR BR UBI BRN"),
    "HR": NumberKind("MBS", "080000014", _first(_shaped("[0-9]{7,9}", zeros=9),
        _checked("hr", "oib")), "MBS OIB"),
    "HU": NumberKind("cégjegyzékszám", "01-09-123456",
        _shaped("([0-9]{2})([0-9]{2})([0-9]{6})", r"\1-\2-\3"), "CG"),
    "IE": NumberKind("CRO number", "123456", _shaped("[0-9]{1,7}"), "CRO"),
    "IL": NumberKind("מספר חברה", "516179157", _checked("il", "hp"), "חפ HP"),
    "IN": NumberKind("CIN", "U72200KA2007PTC043114",
        _first(_shaped("[LUF][0-9]{5}[A-Z]{2}[0-9]{4}[A-Z]{3}[0-9]{6}"),
               _shaped("([A-Z]{3})([0-9]{4})", r"\1-\2")), "CIN LLPIN"),
    "IS": NumberKind("kennitala", "450401-3150", _checked("is", "kennitala", form="000000-0000"),
        "KT"),
    "IT": NumberKind("numero REA", "MI-1234567",
        _first(_shaped("([A-Z]{2})([0-9]{1,7})", r"\1-\2"), _checked("it", "iva")),
        "REA CF P PIVA IVA PARTITA CODICE FISCALE"),
    "JP": NumberKind("法人番号", "5835678256246", _checked("jp", "cn"), "T"),
    "KE": NumberKind("company number", "PVT-ABC1234",
        _as_written("[A-Z]{1,4}[/.-]?[A-Z0-9/.-]{1,16}|[0-9]{1,12}")),
    "KR": NumberKind("법인등록번호", "110111-1234567",
        _first(_shaped("([0-9]{6})([0-9]{7})", r"\1-\2"),
               _checked("kr", "brn", form="000-00-00000"))),
    "LI": NumberKind("Register-Nr.", "FL-0002.123.456-7",
        _shaped("(?:FL)?([0-9]{4})([0-9]{3})([0-9]{3})([0-9])", r"FL-\1.\2.\3-\4"), "REGISTER-NR"),
    "LT": NumberKind("įmonės kodas", "119511515", _shaped("[0-9]{7}|[0-9]{9}"), "KODAS"),
    "LU": NumberKind("numéro RCS", "B123456", _shaped("[A-N][0-9]{1,6}"), "RCS LUXEMBOURG"),
    "LV": NumberKind("reģistrācijas numurs", "40003521600", _checked("lv", "pvn"), "REĢ"),
    "MC": NumberKind("numéro RCI", "56 S 00123", _shaped("([0-9]{2})([A-Z])([0-9]{1,5})",
        r"\1 \2 \3"), "RCI MONACO"),
    "MT": NumberKind("company number", "C 12345", _shaped("([A-Z]{1,3})([0-9]{1,6})", r"\1 \2")),
    "MX": NumberKind("RFC", "GODE561231GR8", _checked("mx", "rfc"), "RFC"),
    "NG": NumberKind("RC or BN number", "RC 1482093",
        _first(_shaped("(RC|BN|IT|LP|LLP)([0-9]{1,8})", r"\1 \2"), _shaped("[0-9]{1,8}")), "CAC"),
    "NL": NumberKind("KvK-nummer", "12345678", _shaped("[0-9]{8}", zeros=8), "KVK KVK-NUMMER HR"),
    "NO": NumberKind("organisasjonsnummer", "995525828",
        lambda text: _checked("no", "orgnr")(re.sub("MVA$", "", _tight(text))), "ORGNR ORG"),
    "NZ": NumberKind("company number", "1234567", _shaped("[0-9]{1,8}|94[0-9]{11}"), "NZBN"),
    "PE": NumberKind("RUC", "20512333797", _checked("pe", "ruc"), "RUC"),
    "PL": NumberKind("numer KRS", "0000123456",
        _first(_shaped("000[0-9]{7}"), _checked("pl", "nip"), _checked("pl", "regon"),
               _shaped("000[0-9]{7}", zeros=10)), "KRS NIP REGON"),
    "PT": NumberKind("NIPC", "501964843", _checked("pt", "nif"), "NIPC NIF"),
    "RO": NumberKind("număr de ordine", "J52/750/2012",
        _first(_as_written("[JFC][0-9]{1,2}/[0-9]{1,7}/[0-9]{4}"),
               _shaped("[JFC][0-9]{11,13}"), _checked("ro", "cui")), "CUI CIF RC"),
    "RU": NumberKind("ОГРН", "1022200525819", _checked("ru", "ogrn", "inn"), "ОГРН ИНН OGRN INN"),
    "RW": NumberKind("company code", "123456789", _shaped("[0-9]{9}")),
    "SE": NumberKind("organisationsnummer", "123456-7897",
        _first(_checked("se", "orgnr", form="000000-0000"),
               _last(12, lambda text: _checked("se", "orgnr", form="000000-0000")(text[:10]),
                     "(?:SE)?[0-9]{10}01")), "ORG ORGNR ORG-NR"),
    "SG": NumberKind("UEN", "00192200M", _checked("sg", "uen"), "UEN GST"),
    "SI": NumberKind("matična številka", "9331310000",
        _first(_shaped("[0-9]{10}"), _shaped("[0-9]{7}")), "MATIČNA"),
    "SK": NumberKind("IČO", "31333532", _shaped("[0-9]{8}", zeros=8), "IČO ICO"),
    "TR": NumberKind("MERSİS no", "0123456789012345",
        _first(_shaped("[0-9]{16}"), _shaped("[0-9]{1,8}"), _checked("tr", "vkn"))),
    "TW": NumberKind("統一編號", "00501503", _checked("tw", "ubn")),
    "UA": NumberKind("код ЄДРПОУ", "32855961", _checked("ua", "edrpou", zeros=8), "ЄДРПОУ EDRPOU"),
    "ZA": NumberKind("registration number", "2011/123456/07",
        _first(_shaped("([0-9]{4})([0-9]{6})([0-9]{2})", r"\1/\2/\3"),
               _shaped("K([0-9]{4})([0-9]{6})(?:07)?", r"\1/\2/07")), "CK"),
}  # fmt: skip


# Fewer digits beside words may be those of a house.
_FEWEST_ALONE = 5


def canonical(country: str, number: str) -> str:
    """Return a number as the register of its country writes it, or "" if it can be none."""
    text = " ".join(unicodedata.normalize("NFKC", number).upper().replace(":", " ").split())
    if is_lei(text):
        return lei.compact(text)
    kind = KINDS.get(country)
    if kind is None:
        return text if ANY.fullmatch(text) else ""
    return next((found for one in _readings(country, kind, text) if (found := kind.read(one))), "")


def is_lei(number: str) -> bool:
    """Tell whether a number is a legal entity identifier, which companies of any country have."""
    return len(_tight(number)) == _LEI_LENGTH and lei.is_valid(number)


def _readings(country: str, kind: NumberKind, text: str) -> Iterator[str]:
    """Yield the text without labels, as it is, and without what else is beside the number."""
    labels = _LABELS | {country, *kind.labels.split()}
    words = text.split()
    while len(words) > 1 and _is_label(words[0], labels):
        del words[0]
    while len(words) > 1 and _is_label(words[-1], labels):
        del words[-1]
    plain = " ".join(words)
    yield from dict.fromkeys((plain, text))
    yield plain.removeprefix(country)
    if (attached := re.match(r"([^\W\d_]+)[\W_]*(?=[0-9])", plain)) and attached[1] in labels:
        yield plain[attached.end() :]
    # Between other words, such as a town or a court.
    with_digits = [at for at, word in enumerate(words) if re.search(r"[0-9]", word)]
    if with_digits:
        alone = " ".join(words[with_digits[0] : with_digits[-1] + 1]).strip(".,;()")
        if len(re.findall(r"[0-9]", alone)) >= _FEWEST_ALONE:
            yield alone


def _is_label(word: str, labels: frozenset[str]) -> bool:
    return re.sub(r"[.,°#()]", "", word) in labels or not re.search(r"[^\W_]", word)
