"""The sandbox stage shows what a business can do now."""

from django.urls import reverse

from apikeys import key_progress
from apikeys.lifecycle import GrantStatus
from apikeys.models import Grant
from console.accounts import access
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.accounts.roles import Permission, Role
from console.audit import log as audit
from tests import factories
from tests.apikeys import world

KEYS = "apikeys:keys"


def anew(business):
    """Return the business as the next request reads it."""
    return Business.objects.get(pk=business.pk)


def test_the_stage_follows_the_sandbox_and_its_keys():
    business = factories.a_business()
    at = key_progress.sandbox_stage(anew(business))
    assert (at.state, at.url) == ("todo", "")

    grant = world.a_grant(business)
    at = key_progress.sandbox_stage(anew(business))
    assert (at.state, at.action) == ("current", "Create a key")
    assert business.public_id in at.url

    world.a_key(grant)
    assert key_progress.sandbox_stage(anew(business)).state == "done"

    Grant.objects.update(status=GrantStatus.SUSPENDED)
    audit.record("grant.suspended", grant, by=SYSTEM, after={"status": "suspended"})
    assert key_progress.sandbox_stage(anew(business)).state == "problem"


def test_only_who_may_create_a_key_is_led_to_the_form():
    business = world.a_grant().business
    at, keys = (reverse(name, args=[business.public_id]) for name in ("apikeys:new_key", KEYS))
    stage = key_progress.sandbox_stage(business)

    def told(role):
        held = frozenset({role})
        return stage.told_to("", lambda permission: access.allows(held, Permission(permission)))

    assert told(Role.DEVELOPER).url == f"{at}?environment=sandbox"
    assert (told(Role.SIGNATORY).url, told(Role.SIGNATORY).action) == (keys, "")
