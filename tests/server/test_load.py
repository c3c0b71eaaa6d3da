"""The load of a busy day: reviewers and applicants use the real console at the same time.

Assumptions: a reviewer opens a list or a case every 5 to 15 seconds. An applicant opens a section,
has it autosaved, saves it, and reads an agreement, with 10 to 30 seconds before each step. Everyone
is signed in, browsers have the static files already, and the proxy is left out: each request is a
connection of its own.
"""

import random
import statistics
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from urllib.parse import urlencode

import pytest
import urllib3
from django.conf import settings
from django.db import connection
from django.test import Client
from django.urls import reverse

from agreements.models import Pack
from agreements.packs import packs
from api.demo import load
from benchmarks import list_pages
from console.accounts.models import Business, User
from console.accounts.roles import Role
from onboarding.intake import applications
from onboarding.questionnaire.edition_schema import Section
from onboarding.questionnaire.loading import EDITIONS
from tests import databases, factories, proofs
from tests.onboarding import answered
from tests.onboarding.intake.forms_over_http import Form
from tests.proofs import Proven, proof
from tests.services import Services

REVIEWERS = proofs.size(small=4, full=50)
APPLICANTS = proofs.size(small=8, full=200)
BUSINESSES = proofs.size(small=100, full=100_000)
# People of the small proof think faster, so that they reach every page.
HASTE = proofs.size(small=30, full=1)
# The small proof shares the machine with other tests, so only errors count.
PAGE_SECONDS, PDF_SECONDS = (0.3, 1.0) if proofs.is_full() else (30.0, 30.0)
# Steps that everybody takes, however slow the machine is: all that an applicant does.
STEPS = 7
SECTIONS = EDITIONS.load(EDITIONS.versions()[-1]).sections
WAITS = {"reviewer": (5.0, 15.0), "applicant": (10.0, 30.0)}


@dataclass
class Responses:
    """All responses of a run: seconds by kind of page, and what went wrong."""

    took: dict[str, list[float]] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, kind: str, seconds: float, status: int) -> None:
        with self.lock:
            self.took.setdefault(kind, []).append(seconds)
            if status >= 400 and status != 422:  # 422: an incomplete section
                self.wrong.append(f"{kind} answered {status}")

    def of(self, *, pdf: bool) -> list[float]:
        return [one for kind, took in self.took.items() if (kind == "PDF") == pdf for one in took]

    def slowest(self) -> list[str]:
        """Return the kinds of pages with their numbers and 95th percentiles, slowest first."""
        kinds = sorted(self.took.items(), key=lambda one: -p95(one[1]))
        return [f"{p95(took) * 1000:6.0f} ms  {len(took):5}  {kind}" for kind, took in kinds]


@dataclass
class Visitor:
    """A signed-in person's browser, without the static files."""

    url: str
    cookie: str
    responses: Responses
    pool: urllib3.PoolManager = field(
        default_factory=partial(urllib3.PoolManager, retries=False, timeout=30.0)
    )

    def get(self, kind: str, path: str) -> str:
        return self._ask("GET", kind, path, {})

    def post(self, kind: str, path: str, fields: list[tuple[str, str]], token: str) -> str:
        sent = {"Content-Type": "application/x-www-form-urlencoded", "Origin": self.url}
        cookie = f"{self.cookie}; {settings.CSRF_COOKIE_NAME}={token}"
        return self._ask("POST", kind, path, sent | {"Cookie": cookie}, urlencode(fields))

    def _ask(
        self, method: str, kind: str, path: str, headers: dict[str, str], body: str | None = None
    ) -> str:
        sent = {"Cookie": self.cookie, "Connection": "close"} | headers
        began, is_pdf = time.perf_counter(), kind == "PDF"
        try:
            answer = self.pool.request(
                method, self.url + path, headers=sent, body=body, redirect=False,
                preload_content=not is_pdf,
            )  # fmt: skip
        except urllib3.exceptions.HTTPError as failure:
            self.responses.add(f"{kind}: {failure}", time.perf_counter() - began, 599)
            return ""
        self.responses.add(kind, time.perf_counter() - began, answer.status)
        if is_pdf:
            answer.drain_conn()
            return ""
        return answer.data.decode()


def reviewer(at: Visitor, lists: dict[str, str], cases: list[str]) -> Iterator[None]:
    """Open all lists in a random order, with a case after every second."""
    while True:
        for number, (name, path) in enumerate(random.sample(list(lists.items()), len(lists))):
            at.get(f"list {name}", path)
            yield
            if number % 2:
                at.get("case", random.choice(cases))
                yield


def applicant(at: Visitor, own: str, pack: Pack, documents: list[str]) -> Iterator[None]:
    """Read a document and answer a section, again and again."""
    for number in count(random.randrange(len(SECTIONS))):
        at.get("agreements", reverse("agreements:pack", args=[pack.business.public_id]))
        yield
        document = [pack.business.public_id, random.choice(documents)]
        at.get("document", reverse("agreements:document", args=document))
        yield
        at.get("PDF", reverse("agreements:review_copy", args=document))
        yield
        at.get("task list", reverse("onboarding:access", args=[own]))
        yield
        section = SECTIONS[number % len(SECTIONS)]
        page = reverse("onboarding:section", args=[own, section.key])
        form = Form(at.get("section", page))
        yield
        at.post("autosave", f"{page}autosave/", *_typed(form, section, 1))
        yield
        at.post("save", page, *_typed(form, section, 2))
        yield


def _typed(form: Form, section: Section, sequence: int) -> tuple[list[tuple[str, str]], str]:
    """Return the fields of a section as a browser sends them, with our words, and the token."""
    known = answered.answers()
    typed = {q.key: known[q.key] for q in section.questions if isinstance(known.get(q.key), str)}
    kept = [(name, value) for name, value in form.fields if name not in {*typed, "sequence"}]
    token = "".join(form.named("csrfmiddlewaretoken")[:1])
    return [*kept, *typed.items(), ("sequence", str(sequence))], token


def p95(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=20)[-1] if len(seconds) > 1 else seconds[0]


@pytest.mark.services
@proof(
    "R23",
    "50 reviewers and 200 applicants (seconds)",
    small=3,
    full=1_800,
    asked="p95 < 300 ms pages, < 1 s PDF, 0 errors",
)
def test_everybody_works_at_once(services: Services, proven: Proven) -> None:
    pack = factories.a_pack()
    documents = [one.public_id for one in packs.documents_of(pack)]
    cases = [reverse("agreements:case", args=[pack.application.public_id])]
    cases += [_case() for _ in range(proofs.size(small=1, full=5))]
    with databases.as_owner() as owner:
        load.generate(owner, BUSINESSES, lambda said: None)
    with databases.as_owner(autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE")
    lists, responses = list_pages.of_staff(), Responses()
    services.start("broker", "worker", *(["beat"] if proofs.is_full() else []))
    services.start_web_as_shipped()

    def visitor(person: User) -> Visitor:
        value = factories.signed_in(Client(), person).cookies[settings.SESSION_COOKIE_NAME].value
        cookie = f"{settings.SESSION_COOKIE_NAME}={value}"
        return Visitor(services.url, cookie, responses)

    people = [
        ("reviewer", reviewer(visitor(factories.one_of_staff(*list_pages.ROLES)), lists, cases))
        for _ in range(REVIEWERS)
    ]
    for _ in range(APPLICANTS):
        own = _applicants_business(pack)
        at = visitor(factories.owner_of(own))
        people.append(("applicant", applicant(at, own.public_id, pack, documents)))
    connection.close()

    _work(people, proven.size)

    pages, pdfs = p95(responses.of(pdf=False)), p95(responses.of(pdf=True))
    total = len(responses.of(pdf=False)) + len(responses.of(pdf=True))
    figure = (
        f"{len(people)} people, {total:,} responses, nineteen of twenty pages"
        f" within {pages * 1000:.0f} ms and PDFs within {pdfs * 1000:.0f} ms,"
        f" {len(responses.wrong)} wrong"
    )
    met = pages < PAGE_SECONDS and pdfs < PDF_SECONDS and not responses.wrong
    proven.reached(figure, met=met, wrong=[*responses.wrong[:20], *responses.slowest()])


def _case() -> str:
    application = factories.a_reviewed_application()
    return reverse("agreements:case", args=[application.public_id])


def _applicants_business(pack: Pack) -> Business:
    """Return a business with an application in draft, whose owner may also read the pack."""
    business = factories.a_business()
    owner = factories.owner_of(business)
    applications.start(business, by=owner)
    factories.join(pack.business, owner, Role.OWNER)
    return business


def _work(people: list[tuple[str, Iterator[None]]], seconds: int) -> None:
    """Let everybody work until the time is over, each from a random moment in a thread."""
    until = time.monotonic() + seconds

    def work(kind: str, steps: Iterator[None]) -> None:
        least, most = (each / HASTE for each in WAITS[kind])
        time.sleep(random.uniform(0, most))
        for number, _ in enumerate(steps, start=1):
            if number >= STEPS and time.monotonic() > until:
                return
            time.sleep(random.uniform(least, most))

    with ThreadPoolExecutor(len(people)) as threads:
        for done in [threads.submit(work, *one) for one in people]:
            done.result()
