"""Countries by ISO 3166-1 alpha-2 code, with their common names."""

import unicodedata
from functools import cache

import pycountry

# Without a code of ISO 3166: the code that the European Union, banks and CLDR use.
_FURTHER = {"XK": "Kosovo"}


@cache
def names() -> dict[str, str]:
    """Return every country as code -> common name, sorted by name."""
    found = {country.alpha_2: _common(country) for country in pycountry.countries} | _FURTHER
    return dict(sorted(found.items(), key=lambda pair: _sortable(pair[1])))


def name(code: str) -> str:
    """Return the common name of a country, or the code itself if it is unknown."""
    return names().get(code, code)


def exists(code: str) -> bool:
    return code in names()


def _common(country: object) -> str:
    return str(getattr(country, "common_name", None) or getattr(country, "name"))  # noqa: B009


def _sortable(text: str) -> str:
    """Return the text without accents, because their letters come after "z" in Unicode."""
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().casefold()
