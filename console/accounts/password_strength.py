"""Whether a password is easy to guess: names, repeats and common words, by an estimator."""

import re
import unicodedata

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from zxcvbn import zxcvbn

from console.accounts.models import Business, User
from console.core.text import without_marks

# The estimator's best mark: more than 10^10 guesses.
ENOUGH = 4
# What it takes grows fast with the length, and so many characters tell enough.
MOST_READ = 40
# A shorter part of a name stands in too many other words.
SHORTEST_NAME = 4
# Of what is repeated: two letters come again in many honest words.
SHORTEST_PART = 3
# Words of names that say nothing about whose password it is.
_COMMON_IN_NAMES = frozenset(
    {"limited", "company", "corporation", "incorporated", "group", "holding", "holdings"}
    | {"international", "services", "trading", "ventures", "gmbh", "sarl"}
)
NAMED = "This password holds your name, or the name of your business. Leave the name out."
REPEATS = "This password repeats itself. Use different words instead of one again and again."
EASY = "This password is easy to guess. Take four or five words that do not belong together."


class GuessableValidator:
    """Django's way to refuse a password: with the reason, and what to do instead."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        names = names_around(user) if isinstance(user, User) else []
        folded = _folded(password)
        if any(name in folded for name in names):
            raise ValidationError(NAMED, code="password_holds_a_name")
        found = zxcvbn(password[:MOST_READ], user_inputs=names)
        if any(match.get("dictionary_name") == "user_inputs" for match in found["sequence"]):
            raise ValidationError(NAMED, code="password_holds_a_name")
        repeated = [len(m["token"]) for m in found["sequence"] if m["pattern"] == "repeat"]
        if 2 * sum(repeated) > min(len(password), MOST_READ) or _repeats(folded):
            raise ValidationError(REPEATS, code="password_repeats_itself")
        if found["score"] < ENOUGH:
            raise ValidationError(EASY, code="password_is_easy_to_guess")

    def get_help_text(self) -> str:
        return "No name of yours or of your business, nothing repeated, nothing common."


def names_around(person: User) -> list[str]:
    """Return the words of a person's name and address, and of the names of their businesses."""
    mailbox, _, domain = person.email.partition("@")
    told = [person.name, mailbox, domain.rpartition(".")[0]]
    if person.pk:
        told += Business.objects.of(person).values_list("name", flat=True)
    words = {word for one in told for word in re.split(r"[\W_]+", _folded(one))}
    return sorted(w for w in words if len(w) >= SHORTEST_NAME and w not in _COMMON_IN_NAMES)


def _repeats(folded: str) -> bool:
    """Tell whether one part again and again, with anything between, makes more than half of it.

    The estimator finds only what stands side by side (not canoe-1 canoe-2 canoe-3).
    """
    for kept in (str.isalpha, str.isalnum):
        text = "".join(filter(kept, folded))[:MOST_READ]
        for size in range(SHORTEST_PART, len(text) // 2 + 1):
            for part in {text[at : at + size] for at in range(len(text) - size + 1)}:
                times = text.count(part)
                if times > 1 and 2 * size * times > len(text):
                    return True
    return False


def _folded(words: str) -> str:
    return without_marks(unicodedata.normalize("NFKC", words)).casefold()
