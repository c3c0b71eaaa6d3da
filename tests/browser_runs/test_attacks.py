"""R12: user input is shown as text everywhere."""

import io
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Dialog
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.reader import PdfFileReader

from agreements.packs import packs
from console.core import blobs
from onboarding.intake import applications
from onboarding.questionnaire import loading
from onboarding.questionnaire.edition_schema import QuestionKind
from onboarding.questionnaire.question_kinds import ADDRESS_PARTS
from tests import factories
from tests.browser import Visitor
from tests.browser_runs.attacked import an_attacked_tenant, questions
from tests.browser_runs.commits import committed
from tests.browser_runs.payloads import MARK, PAYLOADS, broken_out
from tests.browser_runs.who import SHOWN, who_may_open
from tests.proofs import Proven, is_full, proof

pytestmark = [pytest.mark.browser, pytest.mark.check]
REVISION = re.compile(r'name="revision" value="(\d+)"')
SECTIONS = loading.EDITIONS.newest().sections
# What no PDF may contain, because a reader would run or fetch it.
ACTIVE = {
    "/JavaScript",
    "/JS",
    "/Launch",
    "/SubmitForm",
    "/ImportData",
    "/URI",
    "/AA",
    "/RichMedia",
}


@pytest.fixture(scope="module")
def attacked(world, django_db_blocker) -> list[Any]:
    """Businesses with attacks in every field; in `make prove`, with every attack in every field."""
    with django_db_blocker.unblock():
        count = len(PAYLOADS) if is_full() else 1
        return [committed(an_attacked_tenant, shift) for shift in range(count)]


def pages_of(tenant: Any, world: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield every page of a tenant: its name, a person who may open it, and its URL."""
    pack, values = tenant
    for page in SHOWN:
        person = who_may_open(page, world)
        if page.required.kind == "business" or person == world.people["owner"]:
            person = factories.owner_of(pack.business)
        yield page.name, person, page.at(world.values | values)


@proof("R12", "attacks that are kept", asked="0 break out or run, 0 reported")
def test_what_is_kept_is_text_and_no_browser_runs_it(proven: Proven, world, attacked, at):
    broken, ran, shown, seen = [], [], set(), 0
    for number, tenant in enumerate(attacked):
        for name, person, path, page in pages_read(tenant, world):
            broken += [(name, found) for found in broken_out(page)]
            seen += 1
            if MARK in page:
                shown.add(name)
                # A browser opens a page for every eighth set of attacks.
                ran += [] if number % 8 else run_by(at(person), path)

    figure = f"{len(broken)} in {seen:,} pages; attacks are shown on {len(shown)}, {len(ran)} run"
    met = not broken and not ran and len(shown) >= 12
    proven.reached(figure, met=met, wrong=[*broken, *ran])


def pages_read(tenant: Any, world: Any) -> list[tuple[str, Any, str, str]]:
    """Fetch every page of a tenant with a client, and roll back the log entries this writes."""
    signed_in = cache(lambda person: factories.signed_in(Client(), person) if person else Client())
    with transaction.atomic():
        found = [
            (name, person, path, signed_in(person).get(path, follow=True).text)
            for name, person, path in pages_of(tenant, world)
        ]
        transaction.set_rollback(True)
    return found


def run_by(visitor: Visitor, path: str) -> list[str]:
    """Open a page, and return its dialogs and the browser's errors."""
    ran: list[str] = []

    def hear(dialog: Dialog) -> None:
        ran.append(dialog.message)
        dialog.accept()

    visitor.page.on("dialog", hear)
    visitor.go(path)
    visitor.page.remove_listener("dialog", hear)
    ran += [words for words in visitor.said if "Failed to load resource" not in words]
    visitor.said.clear()
    return ran


DECISIONS = (
    "onboarding:decline",
    "onboarding:hold",
    "onboarding:return",
    "agreements:send_back",
)


def forms() -> list[tuple[str, list[str]]]:
    """Return pages that show submitted input again, with their field names."""
    return [
        ("accounts:sign_up", ["name", "email"]),
        ("accounts:sign_in", ["email"]),
        ("accounts:forgot", ["email"]),
        ("accounts:business_new", ["name"]),
        ("accounts:invite", ["email", "role"]),
        ("apikeys:new_key", ["name", "scopes", "days"]),
        *((name, ["note"]) for name in DECISIONS),
    ]


@proof("R12", "attacks that come back at once", asked="0 break out of 40 a form")
def test_what_comes_back_at_once_is_text(proven: Proven, world):
    broken, seen = [], 0
    owner, staff = (factories.signed_in(Client(), world.people[r]) for r in ("owner", "compliance"))
    for number, text in enumerate(PAYLOADS):
        asked = forms() if is_full() else [forms()[number % len(forms())]]
        answers = [
            (staff if name in DECISIONS else owner if ":sign" not in name else Client())
            .post(_at(name, world), dict.fromkeys(fields, text), REMOTE_ADDR=f"10.9.9.{number}")
            for name, fields in asked
        ]  # fmt: skip
        searches = [
            (owner, reverse("shell:search"), {"q": text}),
            (owner, reverse("shell:search"), {"q": text, "part": "1"}),
            (staff, reverse("governance:log"), {"who": text, "code": text, "page": text}),
            (staff, reverse("onboarding:review_queue"), {"status": text, "q": text}),
            (staff, reverse("agreements:packs"), {"status": text, "q": text}),
            (Client(), reverse("accounts:sign_in"), {"next": text}),
            (Client(), f"/{text}/", {}),
        ]
        tried = searches if is_full() else [searches[number % len(searches)]]
        answers += [client.get(path, query) for client, path, query in tried]
        for answer in answers:
            broken += broken_out(answer.text)
            seen += 1

    figure = f"{len(broken)} of {seen:,} answers"
    proven.reached(figure, met=not broken and seen > len(PAYLOADS), wrong=broken)


def _at(name, world):
    values = world.values
    known = {"business_id": values["business_id"], "application_id": values["application_id"]}
    wanted = {"accounts:invite": "business_id", "apikeys:new_key": "business_id"}
    wanted |= dict.fromkeys(DECISIONS, "application_id")
    return reverse(name, kwargs={wanted[name]: known[wanted[name]]} if name in wanted else {})


@proof("R12", "attacks in answers of every kind", asked="0 break out, each is kept as typed")
def test_an_answer_that_is_refused_is_shown_as_text(proven: Proven):
    business = factories.a_business()
    owner = factories.owner_of(business)
    applications.start(business, by=owner)
    client, broken, shown = factories.signed_in(Client(), owner), [], 0
    revisions: dict[str, str] = {}
    for number, question in enumerate(questions()):
        section = next(s for s in SECTIONS if question in s.questions)
        path = reverse("onboarding:section", args=[business.public_id, section.key])
        for text in PAYLOADS if is_full() else [PAYLOADS[number % len(PAYLOADS)]]:
            sent = dict.fromkeys(names_of(question), text) | {"asked": question.key}
            sent["revision"] = revisions.get(path) or revision_on(client.get(path).text)
            page = client.post(path, sent, follow=True).text
            revisions[path] = revision_on(page)
            broken += [(question.key, found) for found in broken_out(page)]
            shown += MARK in page

    figure = f"{len(broken)} of {number + 1} questions, shown {shown} times"
    proven.reached(figure, met=not broken and shown > 9, wrong=broken)


def revision_on(page):
    return next(iter(REVISION.findall(page)), "")


def names_of(question):
    if question.kind == QuestionKind.ADDRESS:
        return [f"{question.key}.{part}" for part in ADDRESS_PARTS]
    if question.kind == QuestionKind.ROWS:
        return [f"{question.key}.0.{column.key}" for column in question.columns]
    if question.kind == QuestionKind.OWNERSHIP:
        cells = ("id", "name", "kind", "country", "number", "holds.0.owned", "acts.0.role")
        return [f"{question.key}.0.{cell}" for cell in cells]
    return [question.key]


@proof("R12", "attacks in documents", asked="0 active parts in the PDFs")
def test_no_document_runs_or_fetches_anything(proven: Proven, attacked):
    active, count = [], 0
    for pack, _ in attacked:
        documents = packs.documents_of(pack)
        for document in documents:
            assert broken_out(blobs.get(document.html_sha256).decode()) == []
        # A sealed file contains the unsealed one.
        for document in documents if is_full() else documents[::4]:
            active += list(active_parts(blobs.get(document.sealed_sha256)))
            count += 1

    proven.reached(f"{len(active)} in {count:,} PDFs", met=not active and count >= 4, wrong=active)


def active_parts(data: bytes) -> Iterator[str]:
    """Return what a PDF contains that its reader would run or fetch."""
    reader = PdfFileReader(io.BytesIO(data))
    waiting: list[Any] = [reader.root]
    known: set[Any] = set()
    while waiting:
        here = waiting.pop()
        if isinstance(here, generic.IndirectObject):
            here = _once(here, known)
        if isinstance(here, generic.DictionaryObject):
            yield from (name for name in here if name in ACTIVE)
            waiting += [here.raw_get(name) for name in here]
        elif isinstance(here, generic.ArrayObject):
            waiting += [here.raw_get(place) for place in range(len(here))]


def _once(here: Any, known: set[Any]) -> Any:
    """Return the target of a reference, the first time only."""
    if here.reference in known:
        return None
    known.add(here.reference)
    return here.get_object()
