"""A throw-away database with one key of ours and one of each peer's, printed as JSON."""

import json
import os
import sys
from datetime import timedelta

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "benchmarks.settings")

import django

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import transaction  # noqa: E402
from knox.models import AuthToken  # noqa: E402
from rest_framework_api_key.models import APIKey  # noqa: E402

from apikeys.grants import grants  # noqa: E402
from apikeys.keys import keys  # noqa: E402
from apikeys.lifecycle import Environment, GrantStatus  # noqa: E402
from apikeys.models import Grant  # noqa: E402
from console.accounts.actors import SYSTEM  # noqa: E402
from console.accounts.models import Business, Membership, User  # noqa: E402
from console.accounts.roles import Role  # noqa: E402
from console.core import clock  # noqa: E402
from console.publishing import publications  # noqa: E402


def migrate() -> None:
    """Make every table, as the owner; what ships is in use, as before the first page."""
    call_command("migrate", verbosity=0)
    publications.begin(by=SYSTEM)


def fill() -> dict[str, str]:
    """Make a business with an open sandbox, and return what each variant is called with."""
    business = Business.objects.create(name="Savanna Freight Limited")
    person = User.objects.create_user("amara@example.com", name="Amara Okafor")
    Membership.objects.create(user=person, business=business, role=Role.OWNER)
    with transaction.atomic():
        grant = Grant.objects.create(business=business, environment=Environment.SANDBOX)
        grant.products, grant.tier = ["balances", "cards", "payouts", "webhooks"], "LOW"
        grant.opened_at = clock.now()
        grant = grants.move(grant, GrantStatus.OPEN, by=SYSTEM)
    life = clock.now() + timedelta(days=90)
    scopes = ["balances:read", "webhooks:read"]
    _, ours = keys.issue(grant, name="Backend, staging", scopes=scopes, expires_at=life, by=person)
    _, other = keys.issue(
        grant, name="Webhooks only", scopes=["webhooks:read"], expires_at=life, by=person
    )
    _, payer = keys.issue(
        grant, name="Payouts", scopes=["payouts:write"], expires_at=life, by=person
    )
    _, api_key = APIKey.objects.create_key(name="bench")
    _, knox = AuthToken.objects.create(user=person)
    return {
        "ours": ours.plain,
        "unscoped": other.plain,
        "payer": payer.plain,
        "api_key": api_key,
        "knox": knox,
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["migrate"]:
        migrate()
    else:
        sys.stdout.write(json.dumps(fill()))
