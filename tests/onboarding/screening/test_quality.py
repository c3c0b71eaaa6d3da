"""How well screening finds listed names, and how often it finds ordinary ones."""

import time
from collections import Counter, defaultdict

import pytest

from console.accounts.actors import SYSTEM
from console.audit import log as audit
from onboarding.screening import scoring, search
from onboarding.screening.model import MODELS
from onboarding.screening.models import ListedType, ListName, ListVersion
from onboarding.screening.search import ORGANISATION, PERSON, Party
from tests.onboarding.screening import evasions, files, ordinary_names, resembling
from tests.onboarding.screening.commands import screening
from tests.proofs import Proven, is_full, proof

SEED = 33


@pytest.fixture
def lists():
    """The real lists; in `make test` only the small one."""
    if is_full():
        screening("import", "ofac", files.REAL)
    screening("import", "un", files.REAL / "UN_consolidated.xml.gz")


def party(name, kind):
    return Party(kind, name, business="Ordinary Business Ltd")


def kind_of(entry):
    return PERSON if entry.type == ListedType.PERSON else ORGANISATION


def recall_of(asked: list[resembling.Query], proven: Proven, total: float, each: float) -> None:
    """Ask for each name, and report the share of each kind that found its entry."""
    # Names without keys are not found, so they are not compared either.
    ListName.objects.filter(pk__in=[query.withheld for query in asked]).update(keys=[])
    for version in ListVersion.objects.all():
        audit.record("test.withheld", version, by=SYSTEM)
    found, missed = defaultdict(list), []
    for query in asked:
        screened = search.screen(party(query.name, kind_of(query.entry)))
        found[query.kind].append(query.entry in [one.entry for one in screened.found])
        if not found[query.kind][-1]:
            missed.append(f"{query.kind}: {query.name} is {query.entry.name}")
    shares = {kind: sum(one) / len(one) for kind, one in found.items()}
    share = sum(map(sum, found.values())) / len(asked)
    said = ", ".join(f"{kind} {share:.1%} of {len(found[kind])}" for kind, share in shares.items())
    # A few names of each kind in `make test` say nothing about each kind.
    met = share >= total and min(shares.values()) >= each if is_full() else share >= 0.9
    proven.reached(f"{share:.1%} of {len(asked)}: {said}", met=met, wrong=missed)


@proof(
    "screening", "listed names in other spellings", small=4, full=150,
    asked="recall >= 99 %, and >= 90 % of each kind",
)  # fmt: skip
def test_other_spellings_of_listed_names_are_found(lists, proven: Proven):
    recall_of(list(resembling.queries(proven.size, SEED)), proven, 0.99, 0.9)


@proof(
    "screening", "listed names by somebody who hides them", small=2, full=100,
    asked="recall >= 95 % of each family",
)  # fmt: skip
def test_listed_names_that_somebody_hides_are_found(lists, proven: Proven):
    recall_of(list(evasions.queries(proven.size, SEED)), proven, 0.95, 0.95)


@proof(
    "screening", "ordinary names", small=60, full=1000,
    asked="possible matches <= 1 % of companies and <= 2 % of people",
)  # fmt: skip
def test_ordinary_names_are_rarely_found(lists, proven: Proven):
    listed = set(map(resembling.words_of, ListName.objects.values_list("name", flat=True)))
    made = {PERSON: ordinary_names.people, ORGANISATION: ordinary_names.companies}
    scoring.compare("", {}, MODELS.newest())  # starts the scorer
    hits: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    wrong, scorer, ours = [], 0.0, time.process_time()
    for kind, make in made.items():
        for name in make(proven.size, SEED):
            if resembling.words_of(name) in listed:
                continue
            screened = search.screen(party(name, kind))
            asked[kind] += 1
            scorer += screened.cpu
            hits[kind] += bool(screened.found)
            wrong += [f"{name} is like {one.name}: {one.score:.2f}" for one in screened.found]
    cpu = (time.process_time() - ours) / asked.total(), scorer / asked.total()

    shares = {kind: hits[kind] / asked[kind] for kind in made}
    figure = f"{shares[ORGANISATION]:.1%} of {asked[ORGANISATION]} companies, "
    figure += f"{shares[PERSON]:.1%} of {asked[PERSON]} people; CPU of a party: "
    figure += f"{cpu[0] * 1000:.0f} ms here and {cpu[1] * 1000:.0f} ms in the scorer"
    met = shares[ORGANISATION] <= 0.01 and shares[PERSON] <= 0.02
    proven.reached(figure, met=met, wrong=wrong)
