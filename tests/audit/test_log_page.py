"""The audit log page: search, entries, links and files."""

import csv
import html
import io
import json
import re
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from urllib.parse import unquote

import pytest
import time_machine
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from console.accounts import businesses
from console.accounts.roles import Role
from console.audit import history, log
from console.audit.models import Entry
from console.core import ids
from tests import factories

LOG = reverse("governance:log")


@pytest.fixture
def auditor(client):
    return factories.signed_in(client, factories.one_of_staff(Role.AUDITOR))


def renamed(business, *, reason, at=None):
    with time_machine.travel(at or datetime.now(UTC)), transaction.atomic():
        return log.record(
            "business.renamed", business, by=factories.owner_of(business), business=business,
            before={"name": "Old"}, after={"name": "New"}, reason=reason,
        )  # fmt: skip


def reasons(page):
    return re.findall(r"(?s)<small>“(.*?)”</small>", page.text)


def test_words_of_a_reason_and_names_find_an_entry(auditor):
    business = factories.a_business(owner=factories.a_person("Ngozi Adeyemi"))
    renamed(business, reason="Registry filing:\nMergers happen")
    renamed(factories.a_business(owner=factories.a_person("Ada")), reason="Typing error")

    for words in ("mergers", "registry filing", "Ngozi mergers", '"ngozi adeyemi" filing'):
        assert len(reasons(auditor.get(LOG, {"q": words}))) == 1, words
    for words in ("typing registry", "-", "((", "\x00"):
        assert "500" not in str(auditor.get(LOG, {"q": words}).status_code)
    assert reasons(auditor.get(LOG, {"q": "typing registry"})) == []


def test_words_are_found_by_an_index():
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        found = history.with_words(Entry.objects.all(), "mergers")
        assert "audit_by_words" in found.explain()


@pytest.mark.parametrize(
    ("since", "until", "found"),
    [
        ("2026-03-02", "", ["third", "second"]),
        ("", "2026-03-01", ["first"]),
        ("2026-03-02", "2026-03-02", ["second"]),
        ("nonsense", "2026-03-02", ["second", "first"]),
    ],
)
def test_days_narrow_the_log(auditor, since, until, found):
    business = factories.a_business()
    moments = {
        "first": datetime(2026, 3, 1, 23, 59, 59, tzinfo=UTC),
        "second": datetime(2026, 3, 2, tzinfo=UTC),
        "third": datetime(2026, 3, 3, tzinfo=UTC),
    }
    for reason, at in moments.items():
        renamed(business, reason=reason, at=at)
    asked = {"since": since, "until": until, "code": "business.renamed"}
    assert reasons(auditor.get(LOG, asked)) == found


def test_an_entry_shows_names_reason_before_after_and_leads_to_its_thing(auditor):
    business = factories.a_business("Savanna Freight", owner=factories.a_person("Ngozi Adeyemi"))
    renamed(business, reason="Merged")
    page = auditor.get(LOG, {"code": "business.renamed"}).text
    link = re.search(r'href="([^"]+go=1)"', page).group(1).replace("&amp;", "&")

    assert "Ngozi Adeyemi renamed Savanna Freight" in page
    assert "“Merged”" in page
    assert re.search(r"<dt>name</dt>\s*<dd>Old → New</dd>", page)
    assert auditor.get(link).url == reverse("apikeys:business", args=[business.public_id])


def test_lists_and_objects_show_as_plain_text(auditor):
    business = factories.a_business()
    with transaction.atomic():
        log.record(
            "business.renamed", business, by=factories.owner_of(business),
            before={"scopes": ["pay", "read"], "entry": None, "count": 0},
            after={"scopes": [], "entry": {"code": "KP", "also": ["RU", "BY"]}, "count": 1},
            questions=["ow_signatory_email"],
        )  # fmt: skip
    page = auditor.get(LOG, {"q": business.public_id, "code": "business.renamed"}).text
    told = re.findall(r"<dd>(.*?)</dd>", page)

    assert "pay, read → –" in told
    assert "– → also: RU, BY, code: KP" in told
    assert "0 → 1" in told
    assert "&#x27;" not in "".join(told)


@pytest.mark.parametrize("prefix", ["trf", "sub", "hed", "dom"])
def test_an_id_for_which_staff_have_no_page_is_not_a_link(auditor, prefix):
    business = factories.a_business()
    thing = SimpleNamespace(public_id=ids.new(prefix))
    with transaction.atomic():
        log.record("business.renamed", thing, by=factories.owner_of(business), business=business)
    page = auditor.get(LOG, {"q": thing.public_id}).text

    assert thing.public_id in page
    assert "go=1" not in page


def test_pages_follow_each_other_and_ask_as_often(auditor):
    business = factories.a_business()
    for number in range(60):
        renamed(business, reason=f"n{number}")
    seen, after, asked = [], "", []
    for _ in range(3):
        with CaptureQueriesContext(connection) as queries:
            page = auditor.get(LOG, {"code": "business.renamed", "after": after})
        asked.append(len(queries))
        seen += reasons(page)
        more = re.search(r"after=([^\"&]+)", page.text)
        after = unquote(more.group(1)) if more else ""

    assert seen == [f"n{number}" for number in reversed(range(60))]
    assert asked[0] == asked[1]


def test_the_files_hold_what_was_looked_for(auditor):
    business = factories.a_business("Savanna Freight")
    entry = renamed(business, reason="=1+1 merged")
    renamed(business, reason="something else")
    asked = {"q": "merged"}

    as_csv = auditor.get(LOG, {**asked, "as": "csv"})
    text = b"".join(as_csv.streaming_content).decode("utf-8-sig")
    [row] = csv.DictReader(io.StringIO(text))
    as_lines = b"".join(auditor.get(LOG, {**asked, "as": "jsonl"}).streaming_content).decode()

    assert row["Reason"] == "'=1+1 merged"
    assert row["Entry"] == entry.public_id
    assert json.loads(row["Before"]) == {"name": "Old"}
    assert as_lines == f'{{"count":null,"hash":"","entry":{entry.body}}}\n'
    assert as_csv.headers["Content-Disposition"] == 'attachment; filename="audit-log.csv"'


def test_a_long_file_loses_nothing_between_its_pieces(auditor, monkeypatch):
    monkeypatch.setattr("console.shell.keyset_pages.chunks.__kwdefaults__", {"size": 4})
    business = factories.a_business()
    for number in range(10):
        renamed(business, reason=f"n{number}")
    lines = b"".join(
        auditor.get(LOG, {"code": "business.renamed", "as": "jsonl"}).streaming_content
    ).splitlines()
    told = [json.loads(line)["entry"]["body"]["details"]["reason"] for line in lines]
    assert told == [f"n{number}" for number in reversed(range(10))]


def test_the_log_is_found_by_a_business_s_name_and_names_people_and_businesses(auditor):
    ours, other = factories.a_business("Kettle & Kiosk"), factories.a_business("Quay Limited")
    person = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    for business in (ours, other):
        businesses.set_account_manager(business, person, by=person)

    page = auditor.get(LOG, {"q": "kettle & ki"})
    said = html.unescape(page.text)
    assert "Kettle & Kiosk" in said
    assert "Quay Limited" not in said
    assert f"<dd>– → {person.name}</dd>" in said
    assert person.public_id not in said.split("<tbody>")[1].split("</tbody>")[0]
    assert "No entries found" in auditor.get(LOG, {"q": "no such business"}).text


def test_times_have_seconds(auditor):
    business = factories.a_business()
    renamed(business, reason="Now", at=datetime(2030, 1, 2, 3, 4, 56, tzinfo=UTC))
    assert "2 Jan 2030, 03:04:56 UTC" in auditor.get(LOG, {"q": business.public_id}).text


def saved(application, section, at, by):
    with time_machine.travel(at), transaction.atomic():
        log.record(
            "application.answered", application, by=by, before={"revision": 1},
            after={"revision": 2}, section=section,
        )  # fmt: skip


def test_a_run_of_autosaves_is_one_row_and_all_of_them_are_in_the_files(auditor):
    case = factories.an_application()
    owner, colleague = factories.owner_of(case.business), factories.a_person("Colleague")
    begun = datetime(2030, 1, 2, 3, 0, tzinfo=UTC)
    for minute, section, by in [
        (0, "products", owner), (1, "products", owner), (2, "products", colleague),
        (3, "ownership", owner), (4, "products", owner), (50, "products", owner),
    ]:  # fmt: skip
        saved(case, section, begun + timedelta(minutes=minute), by)
    asked = {"q": case.public_id, "code": "application.answered", "since": "2030-01-01"}
    page = auditor.get(LOG, asked).text
    assert page.split("<tbody>")[1].split("</tbody>")[0].count("<tr>") == 4
    assert "3 times since" in page
    assert "03:00:00" in page
    answer = auditor.get(LOG, asked | {"as": "csv"})
    rows = list(csv.reader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert len(rows) == 7
