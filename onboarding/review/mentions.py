"""Mentions in notes: “@” and a colleague's mailbox, e-mail address or name."""

import re
from collections import Counter
from collections.abc import Collection, Iterator

from django.utils.translation import gettext as _

from console.accounts.models import User
from console.core.refusals import Refused

# Not inside an e-mail address.
_AT = r"(?<![\w.@+-])@"
_WRITTEN = re.compile(_AT + r"(?P<name>\w[\w.+-]*\w|\w)")


class UnknownColleague(Refused):
    """Raised when no colleague who may read the note has the name after an “@”, or several do."""

    code = "unknown_colleague"


class Mentions:
    """The mentions of some people in a text."""

    def __init__(self, people: Collection[User]) -> None:
        # Several people may have a name: it mentions none of them.
        self.handles: dict[str, User | None] = {
            one.name.lower(): None for one in people if one.name
        }
        for one, names in _named(people):
            self.handles |= dict.fromkeys((name.lower() for name in names), one)
        # The longest first, so that “@Ada Lovelace” is not “@Ada”.
        known = "|".join(re.escape(one) for one in sorted(self.handles, key=len, reverse=True))
        self._known = re.compile(f"{_AT}(?P<known>{known})(?![\\w@]|[.+-]\\w)", re.IGNORECASE)

    def of(self, text: str) -> list[User]:
        """Return the people whom a text mentions, each once, or raise UnknownColleague."""
        found: dict[int, User] = {}
        for written in _WRITTEN.finditer(text):
            match = self._known.match(text, written.start()) if self.handles else None
            person = self.handles[match["known"].lower()] if match else None
            if person is None:
                said = _(
                    "No colleague who may read this note is called @%(name)s, or several are. "
                    "Choose one of the names above the note, or leave out the @."
                )
                raise UnknownColleague(said % {"name": written["name"]})
            found[person.pk] = person
        return list(found.values())

    def parts(self, text: str) -> Iterator[tuple[str, User | None]]:
        """Yield the text in parts, each with the person whom it mentions or None."""
        at = 0
        for match in self._known.finditer(text) if self.handles else ():
            yield text[at : match.start()], None
            yield match[0], self.handles[match["known"].lower()]
            at = match.end()
        yield text[at:], None


def mailbox(person: User) -> str:
    """Return the part of a person's address before the “@”."""
    return person.email.partition("@")[0]


def offered(people: Collection[User]) -> list[str]:
    """Return how to mention each of these people, with their names."""
    return [f"@{names[0]} ({one.name})" for one, names in _named(people)]


def _named(people: Collection[User]) -> Iterator[tuple[User, list[str]]]:
    """Yield each person with what names only them, the shortest to write first."""
    mailboxes = Counter(mailbox(one).lower() for one in people)
    names = Counter(one.name.lower() for one in people)
    for one in people:
        own = [mailbox(one)] if mailboxes[mailbox(one).lower()] == 1 else []
        named = [one.name] if one.name and names[one.name.lower()] == 1 else []
        # A name that is also somebody's mailbox means the mailbox.
        yield one, [*own, one.email, *(name for name in named if name.lower() not in mailboxes)]
