"""Words that many companies may have in their names: English words, names of people, and places.

A listed company with such a name alone, as Atlas, is not meant by every company that adds a word.
"""

from functools import cache

# Rarer words of the encyclopedia are mostly places and names of one company, as Ibadan and Gazprom.
_FREQUENT = 6_000


@cache
def known_words() -> frozenset[str]:
    """Return the words of an English encyclopedia, of films, names, and frequent passwords."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return frozenset().union(*FREQUENCY_LISTS.values())


@cache
def ordinary_words() -> frozenset[str]:
    """Return the known words without the rare ones."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    return known_words() - frozenset(FREQUENCY_LISTS["english_wikipedia"][_FREQUENT:])
