"""Screening of one party: candidates by the index in the database, then scores by the scorer."""

from dataclasses import asdict, dataclass
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db.models import F, FloatField, Func, IntegerField, TextField, Value
from django.db.models.functions import Cast

from console.core import digests
from console.publishing import in_use
from onboarding.screening import scoring
from onboarding.screening.model import MODELS, ScreeningModel
from onboarding.screening.models import ListedType, ListEntry, ListName, ListVersion
from onboarding.screening.names import asked_keys, is_weak

PERSON, ORGANISATION = "person", "organisation"
_KEYS = ArrayField(TextField())


@dataclass(frozen=True)
class Party:
    """Who is screened: a person or an organisation, with what we know about them.

    `business` is the legal name of the business on whose account we ask.
    """

    kind: str
    name: str
    business: str
    country: str = ""
    born: str = ""
    number: str = ""

    @property
    def sha256(self) -> str:
        """The hash of these facts: a decision on a match is valid while they stay the same."""
        return digests.digest("onboarding.screened-party.v1", asdict(self))


@dataclass(frozen=True)
class FoundEntry:
    """An entry that may be the party: the score, the listed name, and the aligned words."""

    entry: ListEntry
    score: float
    name: str
    parts: list[dict[str, Any]]


@dataclass(frozen=True)
class Screened:
    """The result: entries that may be the party, best first, the model, and the CPU seconds."""

    found: list[FoundEntry]
    model: str
    cpu: float


class _SharedKeys(Func):
    """The number of keys that two arrays have in common."""

    template = "CARDINALITY(ARRAY(SELECT UNNEST(%(expressions)s)))"
    arg_joiner = ") INTERSECT SELECT UNNEST("
    output_field = IntegerField()


def screen(party: Party, *, since: ListVersion | None = None) -> Screened:
    """Return the entries that may be this party; with `since`, only those new in that version."""
    model = in_use.current(MODELS)
    names = candidates(party, model, since=since)
    answer = scoring.compare(party.name, names, model)
    entries = ListEntry.objects.in_bulk([int(pk) for pk in answer["found"]])
    found = [FoundEntry(entries[int(pk)], **one) for pk, one in answer["found"].items()]
    found.sort(key=lambda one: (-one.score, one.entry.pk))
    return Screened(found, model.version, answer["cpu"])


def candidates(
    party: Party, model: ScreeningModel, *, since: ListVersion | None = None
) -> dict[int, tuple[str, list[str]]]:
    """Return the names that share most keys with this party's name, by entry, with its kind.

    Entries of every kind, because an owner may be a company, and a company bear a person's name.
    """
    keys = asked_keys(party.name)
    strong = [key for key in keys if not is_weak(key)]
    rows = ListName.objects.filter(keys__overlap=Value(strong, _KEYS), entry__gone=None)
    if since is not None:
        rows = rows.filter(entry__since=since)
    shared = Cast(_SharedKeys(F("keys"), Value(keys, _KEYS)), FloatField())
    length = Func(F("keys"), function="CARDINALITY", output_field=IntegerField())
    best = rows.annotate(share=shared / (length + Value(len(keys)))).order_by("-share", "pk")
    found: dict[int, tuple[str, list[str]]] = {}
    for entry, kind, name in best.values_list("entry", "entry__type", "name")[: model.candidates]:
        compared_as = party.kind if kind == ListedType.OTHER else kind
        found.setdefault(entry, (compared_as, []))[1].append(name)
    return found
