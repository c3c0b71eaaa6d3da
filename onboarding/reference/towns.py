"""Countries whose addresses lack a town, as the Universal Postal Union describes their formats.

Postcodes are never demanded: many countries have none.
"""

# One town, or islands and districts without any: the name of the country is the last line.
WITHOUT_TOWNS = frozenset(
    ["CC", "CX", "GI", "HK", "IO", "MC", "MO", "NF", "NR", "NU", "PN", "SG", "TK", "VA"]
)
# The region is named instead: Dubai is an emirate, and its addresses end with it.
REGION_INSTEAD = frozenset({"AE"})


def is_complete(country: str, city: str, state: str) -> bool:
    """Tell whether an address names the place inside its country as it is usual there."""
    return bool(city or country in WITHOUT_TOWNS or (state and country in REGION_INSTEAD))
