"""The index of listed names: a normal form for trigrams, and keys for exact lookups."""

import re
import unicodedata

# Increase this when `normal_form` or `name_keys` changes. Names with an older number are indexed
# again, and their list is not usable until then.
KEYS_VERSION = 1


def normal_form(name: str) -> str:
    """Return the name in lower case, without accents, punctuation and repeated spaces."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(one for one in plain if not unicodedata.combining(one))
    return " ".join(re.findall(r"\w+", letters))


def name_keys(name: str) -> list[str]:
    """Return the keys under which this name is found, each once."""
    return sorted(set(normal_form(name).split()))
