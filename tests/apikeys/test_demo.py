"""The demo data is created once; after that, it belongs to its users."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command

from api.demo import people as cast
from api.demo import world
from api.demo.businesses import ANSWERING, BUSINESSES, LIVE, NOT_STARTED
from apikeys.models import ApiKey
from console.accounts import businesses
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, Membership, User
from console.accounts.roles import Role
from console.audit.models import Entry
from console.catalogue import products
from console.catalogue.definitions import PRODUCTS
from console.events import outbox
from console.governance import log_checks
from console.shell.mail import DemoMailBackend
from console.shell.models import DemoMail
from onboarding import application_facts
from onboarding.models import Answer, Application
from tests import factories
from tests.apikeys.world import a_grant, a_key


@pytest.fixture(autouse=True)
def _begun(monkeypatch, settings):
    """Only the businesses without documents, which take a while to render."""
    only(monkeypatch, NOT_STARTED, ANSWERING)
    settings.DEMO = True


def only(monkeypatch, *stages: str) -> None:
    """Limit the demo data to the businesses of these stages and their people."""
    few = [demo for demo in BUSINESSES if demo.stage in stages]
    keys = {demo.key for demo in few}
    people = cast.STAFF + cast.BUSINESS_PEOPLE
    everyone = [one for one in people if not one.business or one.business in keys]
    monkeypatch.setattr(world, "BUSINESSES", few)
    monkeypatch.setattr(cast, "EVERYONE", everyone)


def say(_: str) -> None:
    pass


def printed() -> dict[str, Any]:
    out = StringIO()
    call_command("demo", "json", stdout=out)
    return json.loads(out.getvalue())


def test_a_world_that_is_made_is_left_alone():
    world.load(say)
    business = Business.objects.get(name="Quayside Tickets Ltd")
    businesses.rename(business, "Quayside Tickets & Sons", by=factories.owner_of(business))
    before = Entry.objects.count(), Answer.objects.count(), User.objects.count()

    world.load(say)

    assert (Entry.objects.count(), Answer.objects.count(), User.objects.count()) == before
    assert [one["name"] for one in printed()["businesses"]] == [
        "Harmattan Books Limited",
        "Quayside Tickets & Sons",
    ]


def test_a_world_that_was_broken_off_is_gone_on_with():
    def break_off(said: str) -> None:
        if said.startswith("Quayside"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        world.load(break_off)
    with pytest.raises(CommandError, match="not made yet"):
        printed()

    world.load(say)

    assert Business.objects.filter(name="Harmattan Books Limited").count() == 1
    assert [one["stage"] for one in printed()["businesses"]] == ["not_started", "draft"]


def test_a_key_that_was_ended_is_no_working_key(settings, tmp_path):
    world.load(say)
    settings.DATA_DIR = tmp_path
    (tmp_path / "demo-keys.json").write_text('{"sandbox": "svc_test_gone:secret"}')
    assert printed()["keys"] == {"sandbox": None, "live": None}


@pytest.fixture
def executed(monkeypatch, settings, tmp_path):
    """The demo data of the executed business, made by Python calls without rendering documents."""

    def agree(business: Business) -> None:
        (application,) = Application.objects.of(business)
        assert application.status == "cleared"
        assert application.submission is not None
        wanted = application_facts.products(application.submission)
        products.approve(business, wanted, by=SYSTEM)
        a_grant(business, products=products.approved(business), tier=application.assessment.tier)

    settings.DATA_DIR = tmp_path
    only(monkeypatch, LIVE)
    monkeypatch.setattr(outbox, "settle", factories.settle_reviews)
    monkeypatch.setattr(world, "_sign", lambda demo, business: None)
    monkeypatch.setattr(world, "_execute", agree)
    world.load(say)


def test_the_executed_business_may_use_every_product_and_its_key_every_scope(executed):
    plain = printed()["keys"]["sandbox"]

    key = ApiKey.objects.get(public_id=plain.partition(":")[0])
    assert key.grant.products == list(PRODUCTS)
    every = [scope for product in PRODUCTS.values() for scope in product.scopes]
    assert sorted(key.scopes) == sorted(every)


# Closing the demo


@pytest.fixture
def outlived(settings):
    """Demo data whose console is no longer a demo, with a key that one of its people issued."""
    world.load(say)
    settings.DEMO = False
    person = User.objects.get(email="chike@harmattan.example")
    grant = a_grant(Business.objects.get(name="Harmattan Books Limited"))
    key, _ = a_key(grant, by=person)
    return person, key


def check():
    call_command("demo", "check")


def test_a_console_that_is_no_demo_refuses_the_people_of_one(outlived, settings):
    with pytest.raises(CommandError) as raised:
        check()
    said = str(raised.value)
    assert f"{len(cast.STAFF) + 4} people of the demo world can still sign in" in said
    assert "1 of their keys work" in said
    assert "`make reset`" in said
    assert "`access-console demo end`" in said
    assert "make manage ARGS=" in said
    settings.DEMO = True
    check()


def test_ending_it_ends_passwords_authenticators_sessions_and_keys_and_is_in_the_log(outlived):
    person, key = outlived
    out = StringIO()
    call_command("demo", "end", stdout=out)

    assert "Nobody of the demo world" in out.getvalue()
    check()
    person = User.objects.get(pk=person.pk)
    assert not person.check_password(cast.PASSWORD)
    assert not person.authenticators.exists()
    assert not person.recovery_codes.exists()
    key.refresh_from_db()
    assert key.status == "revoked"
    codes = Entry.objects.filter(subject_id=person.public_id).values_list("code", flat=True)
    assert {"person.sign_in_ended", "person.sessions_ended"} <= set(codes)
    assert Entry.objects.get(code="demo.ended")
    assert Entry.objects.filter(code="key.revoked", subject_id=key.public_id).exists()

    before = Entry.objects.count()
    call_command("demo", "end", stdout=out)
    assert Entry.objects.count() == before
    # Another password does not make them others.
    person.set_password("a password that nobody published")
    factories.keep(person)
    with pytest.raises(CommandError, match="1 people"):
        check()


def test_what_stands_beside_its_people_is_ended_too(outlived):
    guest = factories.a_person("Guest")
    guest.set_password("a password that anybody may set anew")
    factories.keep(guest)
    DemoMailBackend().send_messages([EmailMessage("Set another password", "", to=[guest.email])])
    call_command("demo", "end", stdout=StringIO())
    guest.refresh_from_db()
    assert not guest.has_usable_password()
    assert not DemoMail.objects.exists()

    # From now on, only the owner of an address reads its e-mails.
    guest.set_password("a password set by a mail of their own")
    factories.keep(guest)
    check()

    business = Business.objects.get(name="Harmattan Books Limited")
    a_key(business.grants.get(), by=factories.a_member(business, Role.OWNER))
    with pytest.raises(CommandError, match=r"0 people .* 1 of their keys"):
        check()


def test_nobody_of_it_is_told_where_the_log_ends_any_more(outlived):
    log_checks.publish_head(by=SYSTEM)
    assert log_checks.concerns() == []
    call_command("demo", "end", stdout=StringIO())
    assert not Membership.objects.filter(business=None).exists()
    taken = Entry.objects.filter(code="staff.role_taken").values_list("subject_id", flat=True)
    assert len(set(taken)) == len(cast.STAFF)
    assert log_checks.concerns() == [
        "Nobody is an auditor, so nobody gets the published heads of the audit log."
    ]
