"""The register of businesses: stages, filters, sorting, pages, CSV file and account managers."""

import csv
import io
import re
from datetime import timedelta

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from agreements.casework import work_queue
from agreements.lifecycle import PackStatus
from apikeys.allowlist import allowlist
from apikeys.keys import keys
from apikeys.lifecycle import Environment
from apikeys.models import RequestLog
from apikeys.register import business_register
from apikeys.register.register_search import LINKED
from apikeys.webhooks import endpoints
from console.accounts import activity, businesses
from console.accounts.models import Business
from console.accounts.roles import BUSINESS, Role
from console.audit import history
from console.audit.models import Entry
from console.catalogue.models import ModuleSetting
from console.core import clock
from console.shell import keyset_pages
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from tests import factories
from tests.apikeys import world
from tests.apikeys.going_live import world as going

REGISTER = reverse("apikeys:businesses")


@pytest.fixture
def staff(client):
    return factories.signed_in(client, factories.one_of_staff(Role.ACCOUNT_MANAGER))


def shown(client, **asked):
    connection.check_constraints()  # stages are noted at commit
    page = client.get(REGISTER, asked).content.decode()
    return re.findall(r'/businesses/(biz_\w+)/">', page), page


def stage_of(business):
    connection.check_constraints()
    return business_register.one(business.public_id).get().stage


@pytest.mark.parametrize(
    ("status", "stage"),
    [
        (ApplicationStatus.DRAFT, "draft"),
        (ApplicationStatus.SUBMITTED, "review"),
        (ApplicationStatus.HELD, "review"),
        (ApplicationStatus.RETURNED, "returned"),
        (ApplicationStatus.CLEARED, "agreement"),
        (ApplicationStatus.DECLINED, "ended"),
        (ApplicationStatus.EXECUTED, "sandbox"),
    ],
)
def test_a_stage_follows_the_application(staff, status, stage):
    business = factories.an_application(status).business
    factories.a_business("Not this one")

    assert stage_of(business) == stage
    assert shown(staff, stage=stage)[0] == [business.public_id]


def test_a_stage_follows_the_pack_and_the_grant(staff):
    approving = factories.a_pack(PackStatus.IN_APPROVAL).business
    live = world.a_grant(environment=Environment.LIVE).business

    assert shown(staff, stage="approval")[0] == [approving.public_id]
    assert shown(staff, stage="live")[0] == [live.public_id]


def test_who_is_stalled(staff):
    quiet, busy = factories.a_business("Quiet"), factories.a_business("Busy")
    Business.objects.filter(pk=quiet.pk).update(active_at=clock.now() - timedelta(days=15))

    found, page = shown(staff, activity="stalled")

    assert found == [quiet.public_id]
    assert page.count('"badge" data-tone="warning"') == 1
    assert "for 14 days" in page
    assert busy.public_id in shown(staff)[0]


def test_activity_is_what_people_did_and_not_the_machine():
    business = factories.a_business()
    long_ago = clock.now() - timedelta(days=40)
    Business.objects.update(active_at=long_ago)
    activity.note()
    noted = Business.objects.get(pk=business.pk).active_at
    businesses.rename(business, "Renamed", by=factories.owner_of(business))
    activity.note()

    assert noted > long_ago
    assert Business.objects.get(pk=business.pk).active_at > noted


@pytest.mark.parametrize("sort", [*business_register.SORTS])
def test_pages_follow_each_other_and_lose_nothing(staff, sort):
    there = [factories.a_business(f"Business {n % 3}").public_id for n in range(30)]
    first, page = shown(staff, sort=sort)
    after = re.search(r"after=([^\"&]+)", page).group(1)
    second = re.findall(
        r'/businesses/(biz_\w+)/">',
        staff.get(f"{REGISTER}?sort={sort}&after={after}").content.decode(),
    )

    assert len(first) == 25
    assert sorted([*first, *second]) == sorted(there)
    order, _label = business_register.SORTS[sort]
    rows = business_register.rows({}, factories.a_person()).order_by(
        order, ("-" if order[0] == "-" else "") + "pk"
    )
    assert [*first, *second] == list(rows.values_list("public_id", flat=True))


@pytest.mark.parametrize("after", ["", "x", "~1", "2026~9", "2026-01-01~" + "9" * 30, "\x00~1"])
def test_a_place_that_cannot_be_read_is_the_first_page(staff, after):
    business = factories.a_business()
    assert shown(staff, after=after)[0] == [business.public_id]


def test_a_place_after_the_last_row_is_the_first_page(staff):
    business = factories.a_business()
    last = keyset_pages.place(business.created_at, business.pk)

    assert shown(staff, after=last)[0] == [business.public_id]


def test_the_list_asks_as_often_however_long_it_is(staff):
    asked = []
    for count in (2, 10):
        for _ in range(count):
            factories.an_application(business=factories.a_business())
        with CaptureQueriesContext(connection) as queries:
            shown(staff)
        asked.append(len(queries))
    assert asked[0] == asked[1]


def test_the_file_holds_what_the_filters_leave_and_starts_no_formula(staff):
    evil = factories.a_business('=HYPERLINK("https://evil.example")', owner=None)
    factories.an_application(business=factories.a_business("Kept out"))

    connection.check_constraints()
    answer = staff.get(REGISTER, {"stage": "new", "as": "csv"})
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    head, row = csv.reader(io.StringIO(text))

    assert answer.headers["Content-Disposition"] == 'attachment; filename="businesses.csv"'
    assert "sandbox" in answer.headers["Content-Security-Policy"]
    assert head[0] == "Business"
    assert row[:3] == [f"'{evil.name}", evil.public_id, "Not started"]
    assert row[6] == factories.owner_of(evil).email


def test_an_account_manager_says_who_looks_after_a_business(staff):
    business, manager = factories.a_business(), factories.one_of_staff(Role.ACCOUNT_MANAGER)
    address = reverse("apikeys:set_account_manager", args=[business.public_id])

    assert staff.post(address, {"person": manager.public_id}).status_code == 302
    assert str(manager) in staff.get(reverse("apikeys:business", args=[business.public_id])).text
    assert shown(staff, manager=manager.public_id)[0] == [business.public_id]
    assert shown(staff, manager="none")[0] == []
    assert staff.post(address, {"person": manager.public_id, "seen": ""}).status_code == 302
    late = staff.post(address, {"person": "", "seen": "usr_another"})
    assert late.status_code == 409
    assert "Somebody changed the account manager" in late.text
    page = staff.get(reverse("apikeys:business", args=[business.public_id])).text
    assert f'name="seen" value="{manager.public_id}"' in page
    assert staff.post(address, {"person": "", "seen": manager.public_id}).status_code == 302
    assert shown(staff, manager="none")[0] == [business.public_id]


@pytest.mark.parametrize("role", [Role.COMPLIANCE, Role.AUDITOR])
def test_nobody_else_does_and_nobody_else_is_chosen(client, staff, role):
    business, other = factories.a_business(), factories.one_of_staff(role)
    address = reverse("apikeys:set_account_manager", args=[business.public_id])
    refused = staff.post(address, {"person": other.public_id})
    factories.signed_in(client, other)

    assert refused.status_code == 422
    assert "Choose one of our account managers." in refused.text
    assert client.post(address, {"person": ""}).status_code == 403


@pytest.mark.django_db(transaction=True)
def test_an_account_manager_is_set_together_with_an_entry():
    business, person = factories.a_business(), factories.one_of_staff(Role.ACCOUNT_MANAGER)
    with (
        pytest.raises(DatabaseError, match="together with an audit entry"),
        transaction.atomic(),
    ):
        Business.objects.filter(pk=business.pk).update(account_manager=person)


def found(client, words):
    return client.get(reverse("shell:search"), {"q": words, "part": "1"}).text


def test_staff_find_a_business_by_what_they_know_of_it(staff):
    business = factories.a_business("Savanna Freight")
    application = factories.an_application("answered", business=business)
    number = application.answers.get(question="li_registration_number").value
    page = reverse("apikeys:business", args=[business.public_id])

    for words in (
        "anna fre",
        business.public_id,
        factories.owner_of(business).email.upper(),
        number,
        f"Company No. {number.lstrip('0')}",
        factories.owner_of(business).public_id,
    ):
        assert page in found(staff, words), words


@pytest.mark.parametrize(
    ("country", "typed", "words"),
    [
        ("DE", "Amtsgericht München HRB 245178", ["HRB 245178", "hrb245178", "245 178", "245178"]),
        ("DE", "HRB 245178 (München)", ["Amtsgericht München HRB 245178", "München, HRB 245 178"]),
        ("FR", "RCS Paris B 552 032 534", ["552032534", "552 032 534 RCS Paris"]),
        ("GB", "Company No. SC 12345", ["SC012345", "sc12345"]),
        ("CH", "CHE-107.787.577 MWST", ["CHE107787577", "107.787.577"]),
        ("IT", "REA MI-1234567", ["MI 1234567", "1234567"]),
    ],
)
def test_a_draft_is_found_by_its_number_with_or_without_what_is_beside_it(
    staff, country, typed, words
):
    application = factories.an_application(
        "answered", business=factories.a_business("Savanna"),
        li_country_incorporation=country, li_registration_number=typed,
        li_register="Amtsgericht München" if country == "DE" else "The register",
    )  # fmt: skip
    page = reverse("apikeys:business", args=[application.business.public_id])
    for asked in (typed, *words):
        assert page in found(staff, asked), asked
    for other in ("HRB 999999", "1789", "HRB", "München"):
        assert page not in found(staff, other), other


def test_staff_find_every_business_of_a_person_with_many_roles(staff):
    person, pages = factories.a_person(), []
    for number in range(3):
        business = factories.a_business(f"Savanna {number}", owner=person)
        for role in BUSINESS[1:]:
            factories.join(business, person, role)
        pages.append(reverse("apikeys:business", args=[business.public_id]))

    listed = found(staff, person.email)

    assert [page for page in pages if page not in listed] == []


def test_staff_find_things_by_their_ids(staff):
    grant = world.a_grant()
    business, owner = grant.business, factories.owner_of(grant.business)
    key, _secret = keys.issue(
        grant, name="Found", scopes=grant.scopes(),
        expires_at=clock.now() + timedelta(days=9), by=owner,
    )  # fmt: skip
    endpoint, _minted = endpoints.create(
        business, Environment.SANDBOX, url="https://hooks.example.com/events",
        enabled_events=["*"], by=owner,
    )  # fmt: skip
    call = RequestLog.objects.create(
        at=clock.now(), request_id="req_found", business=business, key_id=key.public_id,
        environment="sandbox", method="GET", path="/me", status=200, microseconds=900,
    )  # fmt: skip

    keys_page = reverse("apikeys:grant", args=[grant.public_id])
    assert keys_page in found(staff, key.public_id)
    assert keys_page in found(staff, grant.public_id)
    row = f"#{endpoint.public_id}"
    endpoints_page = reverse("apikeys:staff_endpoints", args=[business.public_id])
    assert endpoints_page + row in found(staff, endpoint.public_id)
    assert f'id="{row[1:]}"' in staff.get(endpoints_page).text
    assert reverse("api:staff_logged_call", args=[business.public_id, "req_found"]) in found(
        staff, call.request_id
    )


def test_staff_find_the_business_of_a_draft_and_of_a_module_setting(staff):
    draft = factories.an_application(ApplicationStatus.DRAFT)
    page = reverse("apikeys:business", args=[draft.business.public_id])
    setting = ModuleSetting.objects.create(
        business=draft.business, module="customers", automatic_since=clock.now()
    )

    assert page in found(staff, draft.public_id)
    assert page in found(staff, setting.public_id)


def test_an_unknown_id_of_every_kind_finds_nothing(staff):
    found_for = [prefix for prefix in LINKED if "<li" in found(staff, f"{prefix}_none")]
    assert found_for == []


def test_staff_find_a_network_request_before_and_after_its_decision(staff):
    grant, page = world.a_grant(), reverse("apikeys:network_requests")
    owner = factories.owner_of(grant.business)
    asked = allowlist.ask(grant, "81.0.0.0/8", reason="Wide.", by=owner)
    assert f'href="{page}"' in found(staff, asked.public_id)

    compliance = factories.one_of_staff(Role.COMPLIANCE)
    allowlist.decide(asked, granted=True, reason="Seen.", by=compliance)
    assert f'href="{page}?stage=all"' in found(staff, asked.public_id)


def test_staff_find_a_pack_by_its_number(staff):
    pack = factories.a_pack(PackStatus.IN_APPROVAL)
    for words in (pack.number, pack.number.lower(), pack.public_id):
        assert pack.application.case_url in found(staff, words)


def test_a_business_finds_none_of_it(client):
    other = factories.a_business("Savanna Freight")
    factories.signed_in(client, factories.owner_of(factories.a_business("Lagoon")))
    for words in ("savanna", other.public_id, factories.owner_of(other).email):
        assert "<li" not in found(client, words)


def test_an_account_manager_sees_how_many_of_theirs_are_at_each_stage(client):
    manager = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    factories.signed_in(client, manager)
    for number, held in enumerate([manager, manager, None]):
        business = factories.a_business(f"Business {number}")
        if held:
            businesses.set_account_manager(business, person=held, seen="", by=manager)
    _ids, page = shown(client)

    funnel = page.split('id="funnel"')[1].split("</section>")[0]
    assert "manager=me&amp;stage=new" in funnel
    assert re.findall(r'class="num">(\d+)<', funnel) == ["2"] + ["0"] * 7
    assert 'x="0.0%" width="100.0%"' in funnel
    assert "0 days" in page


def test_nobody_else_sees_a_funnel(client):
    factories.signed_in(client, factories.one_of_staff(Role.AUDITOR))
    assert 'id="funnel"' not in shown(client)[1]


def test_a_business_shows_its_main_contact_and_since_when_things_have_their_status(staff):
    case = factories.an_application(ApplicationStatus.SUBMITTED)
    started = clock.now() - timedelta(days=20)
    factories.change(Application.objects.filter(pk=case.pk), started_at=started)
    answers = case.submission.answers
    page = staff.get(reverse("apikeys:business", args=[case.business.public_id])).text
    for key in ("name", "email", "phone"):
        assert escape(answers[f"li_contact_{key}"]) in page
    assert f'href="mailto:{answers["li_contact_email"]}"' in page
    row = page.split('id="cases"')[1]
    moved = Entry.objects.about(case.public_id).get(code="application.submitted").at
    assert clock.iso(moved)[:16] in row
    assert clock.iso(started)[:16] not in row


def test_a_pack_is_listed_since_its_status(staff):
    pack = factories.walked(factories.a_pack(PackStatus.IN_REVIEW), PackStatus.READY_TO_SIGN)
    (line,) = work_queue.lines_of_any([pack])
    moved = Entry.objects.about(pack.public_id).get(code="pack.ready_to_sign").at
    assert line.since == moved
    new = factories.a_business("New Limited")
    assert history.status_since([new.public_id]) == {}


def test_an_account_manager_finds_their_own_businesses_and_requests_at_once(client):
    ready = going.a_ready_business()
    going.a_request(ready)
    other = factories.one_of_staff(Role.ACCOUNT_MANAGER)
    businesses.set_account_manager(ready.business, ready.manager, by=ready.manager)
    found = {}
    for person in (ready.manager, other):
        client = factories.signed_in(client, person)
        assert 'href="?manager=me"' in client.get(reverse("apikeys:businesses")).text
        page = client.get(reverse("apikeys:go_live_requests"), {"stage": "mine"}).text
        found[person.pk] = "Kettle &amp; Kiosk" in page.split("<main")[1]
    assert found == {ready.manager.pk: True, other.pk: False}
