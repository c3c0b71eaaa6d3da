"""The worked examples of the risk model are applications of the demo world, with these scores."""

import pytest

from api.demo import world
from api.demo.businesses import BUSINESSES
from console.events import outbox
from onboarding.models import Application
from onboarding.review.ownership_panel import ownership_now
from tests import factories
from tests.apikeys.test_demo import say

EXAMPLES = {
    "prosser": (450, "LOW", []),
    "bramble": (3550, "MEDIUM", ["F6"]),
    "hopkin": (1350, "HIGH", ["F1"]),
    "baobab": (6600, "HIGH", ["F4", "F6", "F7"]),
    "lloyd": (1450, "PROHIBITED", ["F2", "F7"]),
    "pepperbox": (4500, "HIGH", ["F7"]),
}


@pytest.fixture
def applications(monkeypatch, settings):
    settings.DEMO = True
    few = [demo for demo in BUSINESSES if demo.key in EXAMPLES]
    monkeypatch.setattr(world, "BUSINESSES", few)
    monkeypatch.setattr(outbox, "settle", factories.settle_reviews)
    world.load(say)
    rows = Application.objects.select_related("assessment", "submission", "business")
    return {key: rows.get(business__public_id=one) for key, one in world.made().items()}


def test_each_is_in_review_with_its_score_and_its_owners(applications):
    found = {
        key: (one.assessment.score_x100, one.tier, [floor["id"] for floor in one.assessment.floors])
        for key, one in applications.items()
    }
    assert found == EXAMPLES
    assert {one.status for one in applications.values()} == {"submitted"}
    knocked_out = applications["lloyd"].assessment.knock_outs
    assert [one["effect"] for one in knocked_out] == ["COMPLIANCE_BLOCKED"]
    owners = {key: len(ownership_now(one).owners) for key, one in applications.items()}
    assert owners == {
        "prosser": 2, "bramble": 3, "hopkin": 2, "baobab": 3, "lloyd": 2, "pepperbox": 2,
    }  # fmt: skip
