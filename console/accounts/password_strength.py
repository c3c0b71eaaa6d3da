"""Password strength: rejects names, repetition and common words, using an estimator (zxcvbn).

A name of four or more letters is refused anywhere in the password, one of three letters only as a
separate word, because it also occurs inside other words (skimming, for Kim). The estimator gets all
names, even of two letters, as easily guessed words, so a password made mostly of them is too weak.
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

# The estimator's best score: more than 10^10 guesses.
ENOUGH = 4
# Its running time grows fast with the length, and this many characters are sufficient.
MOST_READ = 40
# Shorter parts of a name occur in too many other words. From this length on they are refused.
SHORTEST_NAME = 4
# Shortest repeated part; pairs of letters repeat in many good passwords.
SHORTEST_PART = 3
SHORTEST_WORD = 3
SHORTEST_GUESSED = 2
# Parts of names that do not identify anyone.
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
    """A Django password validator that says why a password is refused and what to do instead."""

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
    """Return the words in a user's name and address, and in the names of their businesses.

    These are the businesses they belong to, and those that invite them.
    """
    mailbox, _at, domain = person.email.partition("@")
    told = [person.name, mailbox, domain.rpartition(".")[0]]
    if person.pk:
        told += Business.objects.of(person).values_list("name", flat=True)
        waiting = Invitation.objects.waiting_for(person)
        told += waiting.values_list("business__name", flat=True)
    words = {word for one in told for word in re.split(r"[\W_]+", _folded(one))}
    return sorted(w for w in words if len(w) >= SHORTEST_GUESSED and w not in _COMMON_IN_NAMES)


def _repeats(folded: str) -> bool:
    """Tell whether one repeated part makes up more than half of the text, with anything in between.

    The estimator only finds adjacent repetition (not canoe-1 canoe-2 canoe-3).
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
