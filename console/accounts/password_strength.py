"""Whether a password is easy to guess: names, repeats and common words, by an estimator.

A name of four letters or more is refused wherever it stands, one of three as a word of its own:
inside other words (skimming, for Kim) it says nothing. The estimator knows all names, also of two
letters, and counts them as guessed at once: a password that is mostly such names is easy.
"""

import re
import unicodedata

from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from zxcvbn import zxcvbn

from console.accounts.models import Business, Invitation, User
from console.core.text import without_marks

# The estimator's best mark: more than 10^10 guesses.
ENOUGH = 4
# What it takes grows fast with the length, and so many characters tell enough.
MOST_READ = 40
# A shorter part of a name stands in too many other words; of this length it counts as a word.
SHORTEST_NAME = 4
# Of what is repeated: two letters come again in many honest words.
SHORTEST_PART = 3
SHORTEST_WORD = 3
SHORTEST_GUESSED = 2
# Words of names that say nothing about whose password it is.
_COMMON_IN_NAMES = frozenset(
    {"limited", "company", "corporation", "incorporated", "group", "holding", "holdings"}
    | {"international", "services", "trading", "ventures", "gmbh", "sarl", "mbh", "pty", "pte"}
    | {"ltd", "inc", "llc", "plc", "pvt", "srl", "spa", "pay", "com", "org", "net", "the", "and"}
    | {"for", "van", "von", "der", "den", "del", "dos", "das", "los", "les", "ibn", "bin"}
)
NAMED = _("This password contains your name or the name of your business. Leave the name out.")
REPEATS = _("This password repeats itself. Use several different words.")
EASY = _("This password is easy to guess. Use four or five unrelated words.")


class GuessableValidator:
    """Django's way to refuse a password: with the reason, and what to do instead."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        names = names_around(user) if isinstance(user, User) else []
        folded = _folded(password)
        words = {w for w in re.findall(r"[^\W\d_]+", folded) if len(w) >= SHORTEST_WORD}
        if any(name in (folded if len(name) >= SHORTEST_NAME else words) for name in names):
            raise ValidationError(NAMED, code="password_holds_a_name")
        found = zxcvbn(password[:MOST_READ], user_inputs=names)
        guessed = [
            m["matched_word"]
            for m in found["sequence"]
            if m.get("dictionary_name") == "user_inputs"
        ]
        if any(len(name) >= SHORTEST_NAME for name in guessed):
            raise ValidationError(NAMED, code="password_holds_a_name")
        repeated = [len(m["token"]) for m in found["sequence"] if m["pattern"] == "repeat"]
        if 2 * sum(repeated) > min(len(password), MOST_READ) or _repeats(folded):
            raise ValidationError(REPEATS, code="password_repeats_itself")
        if found["score"] < ENOUGH and guessed:
            raise ValidationError(NAMED, code="password_holds_a_name")
        if found["score"] < ENOUGH:
            raise ValidationError(EASY, code="password_is_easy_to_guess")

    def get_help_text(self) -> str:
        return gettext(
            "Do not use your name, the name of your business, repeated words or common passwords."
        )


def names_around(person: User) -> list[str]:
    """Return the words of a person's name and address, and of the names of their businesses.

    Theirs are those that they belong to, and those that invite them.
    """
    mailbox, _, domain = person.email.partition("@")
    told = [person.name, mailbox, domain.rpartition(".")[0]]
    if person.pk:
        told += Business.objects.of(person).values_list("name", flat=True)
        waiting = Invitation.objects.waiting_for(person)
        told += waiting.values_list("business__name", flat=True)
    words = {word for one in told for word in re.split(r"[\W_]+", _folded(one))}
    return sorted(w for w in words if len(w) >= SHORTEST_GUESSED and w not in _COMMON_IN_NAMES)


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
