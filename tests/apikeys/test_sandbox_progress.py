"""The sandbox stage shows what a business can do now."""

from apikeys import key_progress
from apikeys.lifecycle import GrantStatus
from apikeys.models import Grant
from console.accounts.actors import SYSTEM
from console.audit import log as audit
from tests import factories
from tests.apikeys import world


def test_the_stage_follows_the_sandbox_and_its_keys():
    business = factories.a_business()
    at = key_progress.sandbox_stage(business)
    assert (at.state, at.url) == ("todo", "")

    grant = world.a_grant(business)
    at = key_progress.sandbox_stage(business)
    assert (at.state, at.action) == ("current", "Create a key")
    assert business.public_id in at.url

    world.a_key(grant)
    assert key_progress.sandbox_stage(business).state == "done"

    Grant.objects.update(status=GrantStatus.SUSPENDED)
    audit.record("grant.suspended", grant, by=SYSTEM, after={"status": "suspended"})
    assert key_progress.sandbox_stage(business).state == "problem"
