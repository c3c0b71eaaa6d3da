"""Random sequences of actions by two people on one section, and the answers that must result.

`Ledger` is the oracle. It does not model revisions, merging or rows: a saved answer must remain
until a person who has seen it replaces it.
"""

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from onboarding.models import Answer, Application

# Possible inputs by section and question; an empty input clears the answer.
TYPED: dict[str, dict[str, list[Any]]] = {
    "products": {
        "pr_products": [["customers"], ["customers", "refunds"], []],
        "pr_use": ["We collect fees from schools, one payment a term, by transfer.", "Short.", ""],
        "pr_tech_email": ["ada@example.com", "bob@example.com", "nobody", ""],
    },
    "settlement": {
        "se_model": ["prefunded", "t1", "t2", "weekly"],
        "se_currencies": [["GBP"], ["GBP", "EUR"], []],
        "se_bank_country": ["GB", "FR", "DE", ""],
    },
}

EMPTY = {key: type(typed[0])() for asked in TYPED.values() for key, typed in asked.items()}


@dataclass
class Desk:
    """What one person sees: the answers shown, and what they typed over them."""

    section: str
    seen: dict[str, Any] = field(default_factory=dict)
    shown: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    unsaved: set[str] = field(default_factory=set)
    is_open: bool = False


class Person(Protocol):
    """A person at a page, over HTTP or in a browser."""

    saves_by_itself: bool

    def open(self, section: str) -> None: ...
    def answer(self, key: str, typed: Any) -> None: ...
    def autosave(self) -> set[str]: ...
    def save(self) -> set[str]: ...
    def leave(self) -> None: ...
    def lose_session(self) -> None: ...
    def is_out(self) -> bool: ...
    def shows(self) -> dict[str, Any]: ...


class Ledger:
    """The saved answers that must exist, counts, and the differences found."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.now: dict[str, Any] = dict(EMPTY)
        self.counted: Counter[str] = Counter()
        self.faults: list[str] = []
        self.story: list[str] = []

    def note(self, *words: object) -> None:
        """Record an action of this sequence, to be reported with the first fault."""
        self.story.append(" ".join(map(str, words)))

    def fault(self, words: str) -> None:
        self.faults.append(words if self.faults else f"{words}, after {'; '.join(self.story)}")

    def opened(self, desk: Desk) -> None:
        keys = TYPED[desk.section]
        desk.seen = {key: self.now[key] for key in keys}
        desk.shown = dict(desk.seen)
        desk.fields, desk.unsaved, desk.is_open = dict(desk.shown), set(), True

    def sent(self, desk: Desk, *, by_button: bool = True) -> set[str]:
        """Apply what a page sends; return the keys that conflict with a colleague's answer."""
        against = set()
        for key, typed in desk.fields.items():
            marked = by_button and key in desk.unsaved
            if typed == desk.shown[key] and not marked:
                continue
            if key in desk.unsaved and typed == desk.seen[key]:
                # They accept the colleague's answer, which is saved already.
                desk.unsaved.discard(key)
                desk.shown[key] = typed
                continue
            if self.now[key] not in (desk.seen[key], typed):
                against.add(key)
                continue
            self.counted["answers saved"] += self.now[key] != typed
            self.now[key] = desk.seen[key] = desk.shown[key] = typed
            desk.unsaved.discard(key)
        self.counted["conflicts"] += len(against)
        return against

    def returned(self, desk: Desk, against: set[str]) -> None:
        """Record that the page came back with the conflicts marked and both answers shown."""
        typed = {key: desk.fields[key] for key in against}
        self.opened(desk)
        desk.fields |= typed
        desk.shown |= typed
        desk.unsaved = set(against)

    def kept(self) -> dict[str, Any]:
        """Return the newest saved answers, read directly from the rows."""
        there = dict(EMPTY)
        for row in Answer.objects.filter(application=self.application).order_by("revision"):
            value = row.typed if row.value is None else row.value
            there[row.question] = value or EMPTY[row.question]
        return there

    def settle(self, patience: float) -> None:
        """Compare saved answers with the ledger, waiting for saves that are still under way."""
        until = time.monotonic() + patience
        while (there := self.kept()) != self.now and time.monotonic() < until:
            time.sleep(0.02)
        self.compare("kept", there)

    def compare(self, what: str, there: dict[str, Any]) -> None:
        for key, value in there.items():
            self.counted["comparisons"] += 1
            if value != self.now[key]:
                self.fault(f"{what}: {key} is {value!r}, not {self.now[key]!r}")


def run(
    random: Random, people: Sequence[Person], ledger: Ledger, *, steps: int, patience: float = 0
) -> None:
    """Let two people act at random, one action at a time; compare after each."""
    section = random.choice(list(TYPED))
    desks = [Desk(section), Desk(section)]
    ledger.story = [section]
    for _ in range(steps):
        who = random.randrange(2)
        ledger.note(f"person {who}")
        act(random, people[who], desks[who], ledger)
        ledger.settle(patience)
    ledger.counted["sequences"] += 1


def act(random: Random, person: Person, desk: Desk, ledger: Ledger) -> None:
    if not desk.is_open:
        ledger.note("opens")
        person.open(desk.section)
        ledger.opened(desk)
        ledger.compare("shown", person.shows())
        return
    if random.random() < 0.2:
        ledger.note("loses the session")
        ledger.counted["sessions ended"] += 1
        person.lose_session()
    for key in random.sample(list(TYPED[desk.section]), random.randint(1, 2)):
        desk.fields[key] = random.choice(TYPED[desk.section][key])
        ledger.note(key, "=", desk.fields[key])
        person.answer(key, desk.fields[key])
    how = random.choice(["save", "leave", "autosave", "autosave"])
    ledger.counted[how] += 1
    ledger.note(how)
    if how == "save" or (how == "autosave" and not person.saves_by_itself):
        _press(person, desk, ledger)
    elif how == "autosave":
        expected = ledger.sent(desk, by_button=False)
        _agree(ledger, "told", person.autosave(), expected)
    else:
        # Without a session nothing is saved on leaving, and the person does not learn of it.
        if person.saves_by_itself and not person.is_out():
            ledger.sent(desk, by_button=False)
        person.leave()
        desk.is_open = False


def _press(person: Person, desk: Desk, ledger: Ledger) -> None:
    expected = ledger.sent(desk)
    _agree(ledger, "marked", person.save(), expected)
    desk.is_open = False
    if expected:
        ledger.returned(desk, expected)
        shown = person.shows()
        ledger.compare("beside", {k: v for k, v in shown.items() if k not in expected})
        _agree(ledger, "typed", {k for k in expected if shown[k] == desk.fields[k]}, expected)


def _agree(ledger: Ledger, what: str, found: set[str], expected: set[str]) -> None:
    if found != expected:
        ledger.fault(f"{what}: {sorted(found)}, not {sorted(expected)}")
