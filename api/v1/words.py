"""Names of API fields and paths in words for pages."""

import re

_CAPITALS = {
    word.lower(): word for word in ("ID", "URL", "API", "IBAN", "BIC", "SKU", "USD", "OTC")
}
_JOINS = re.compile(r"_|(?<=[a-z])(?=[A-Z0-9])")


def title_of(name: str) -> str:
    """Format a name for a page: `beneficiary_id` is “Beneficiary ID”, `created_at` “Created”."""
    words = [word.lower() for word in _JOINS.split(name) if word]
    if len(words) > 1 and words[-1] == "at":
        words.pop()
    said = " ".join(_CAPITALS.get(word, word) for word in words)
    return said[:1].upper() + said[1:]
