"""Numbers of German registers, which are complete only with the court that keeps the register.

split("München, HRB 245 178")       -> ("München", "HRB 245178")
court("Amtsgericht Muenchen")       -> "Amtsgericht München"
court("Handelsregister")            -> "", for it names none
"""

import re
from functools import cache

from stdnum.de.handelsregisternummer import GERMAN_COURTS

from console.core.text import without_marks

_ENTRY = re.compile(
    r"(?P<before>.*?)(?<![^\W\d_])(?P<kind>H\s?R\s?[AB]|GNR|GSR|VR|PR|EWIV)\s*(?:(?:NR|NO|N°)\b\.?)?"
    r"[\s:.-]*(?P<digits>[0-9][0-9 .]*)(?P<mark>(?:\s?[A-Z]{1,3})?(?![^\W\d_]))(?P<after>.*)",
    re.IGNORECASE | re.DOTALL,
)
_KINDS = {"GNR": "GnR", "GSR": "GsR"}
# Words about a court or register that do not say which one.
_GENERAL = re.compile(
    r"\b(?:amtsgerichte?s?|ag|registergerichte?s?|registerportal|handelsregisters?|"
    r"gemeinsames|genossenschaftsregister|partnerschaftsregister|vereinsregister|"
    r"(?:commercial|company|trade) register|district|local|court|register|registers?|of|der|des|"
    r"the|beim|bei|dem|am|at|in|im|the|germany|deutschland|hr|hra|hrb|abt|abteilung|a|b|nr)\b"
)
_OTHER_NAMES = {
    "berlin": "Berlin (Charlottenburg)",
    "charlottenburg": "Berlin (Charlottenburg)",
    "charlottenburg berlin": "Berlin (Charlottenburg)",
    "berlin charlottenburg": "Berlin (Charlottenburg)",
    "munich": "München",
    "cologne": "Köln",
    "nuremberg": "Nürnberg",
    "hanover": "Hannover",
    "frankfurt": "Frankfurt am Main",
    "frankfurt main": "Frankfurt am Main",
    "frankfurt a m": "Frankfurt am Main",
}


def split(text: str) -> tuple[str, str]:
    """Return the words beside a register number, and the number as registers write it, or ""."""
    found = _ENTRY.fullmatch(" ".join(text.split()))
    if found is None:
        return "", ""
    kind = re.sub(r"\s", "", found["kind"]).upper()
    digits = re.sub(r"\D", "", found["digits"]).lstrip("0")
    if not 1 <= len(digits) <= 6:
        return "", ""
    mark = f" {found['mark'].strip().upper()}" if found["mark"].strip() else ""
    beside = f"{found['before']} {found['after']}".strip(" ,;:/()-")
    return beside, f"{_KINDS.get(kind, kind)} {digits}{mark}"


def court(text: str) -> str:
    """Return the court that a text names, or "" if it names none.

    A court that is not in our list is returned as it is written.
    """
    plain = _plain(text)
    if not plain:
        return ""
    courts = _courts()
    longer = {name for key, name in courts.items() if key.startswith(f"{plain} ")}
    known = courts.get(plain) or (longer.pop() if len(longer) == 1 else "")
    return f"Amtsgericht {known}" if known else " ".join(text.split())


def _plain(text: str) -> str:
    words = re.sub(r"[\W_]+", " ", without_marks(text.casefold()))
    words = re.sub("([aou])e", r"\1", words)
    return " ".join(_GENERAL.sub(" ", words).split())


@cache
def _courts() -> dict[str, str]:
    known = {_plain(name): name for name in GERMAN_COURTS}
    return known | {_plain(name): known for name, known in _OTHER_NAMES.items()}
