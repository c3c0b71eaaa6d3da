"""The demo world is made once; after that it belongs to the people in it."""

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apikeys.demo import people as cast
from apikeys.demo import world
from apikeys.demo.businesses import ANSWERING, BUSINESSES, NOT_STARTED
from console.accounts import businesses
from console.accounts.models import Business, User
from console.audit.models import Entry
from onboarding.models import Answer
from tests import given


@pytest.fixture(autouse=True)
def _begun(monkeypatch, settings):
    """Only the businesses that need no papers: those take a while to draw."""
    few = [demo for demo in BUSINESSES if demo.stage in (NOT_STARTED, ANSWERING)]
    keys = {demo.key for demo in few}
    everyone = [one for one in cast.EVERYONE if not one.business or one.business in keys]
    monkeypatch.setattr(world, "BUSINESSES", few)
    monkeypatch.setattr(cast, "EVERYONE", everyone)
    settings.DEMO = True


def say(_: str) -> None:
    pass


def printed() -> dict[str, Any]:
    out = StringIO()
    call_command("demo", "json", stdout=out)
    return json.loads(out.getvalue())


def test_a_world_that_is_made_is_left_alone():
    world.load(say)
    business = Business.objects.get(name="Quayside Tickets Ltd")
    businesses.rename(business, "Quayside Tickets & Sons", by=given.owner_of(business))
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
