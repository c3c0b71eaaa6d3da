"""The sandbox stage shows what a business can do now."""

from apikeys import key_progress
from apikeys.lifecycle import GrantStatus
from apikeys.models import Grant
from tests import factories
from tests.apikeys import world


def test_before_execution_there_is_nothing_to_do():
    business = factories.a_business()
    at = key_progress.sandbox_stage(business)

    assert (at.state, at.url) == ("todo", "")


def test_an_open_sandbox_asks_for_the_first_key():
    grant = world.a_grant()
    at = key_progress.sandbox_stage(grant.business)

    assert (at.state, at.action) == ("current", "Create a key")
    assert grant.business.public_id in at.url


def test_with_a_key_it_is_done():
    key, _ = world.a_key()
    assert key_progress.sandbox_stage(key.business).state == "done"


def test_a_suspended_sandbox_needs_attention():
    grant = world.a_grant()
    Grant.objects.filter(pk=grant.pk).update(status=GrantStatus.SUSPENDED)

    assert key_progress.sandbox_stage(grant.business).state == "problem"
