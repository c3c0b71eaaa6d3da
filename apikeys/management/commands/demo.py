"""`manage.py demo load|people|json`: make the demo world, list its people, print it whole."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django_otp.oath import totp

from agreements.models import Pack
from apikeys.demo import people as cast
from apikeys.demo import world
from apikeys.demo.businesses import BUSINESSES
from apikeys.demo.kept import kept_key
from apikeys.lifecycle import OPENS, GrantStatus
from apikeys.models import ApiKey
from console.accounts.models import Business
from console.core import clock
from onboarding.models import Application


class Command(BaseCommand):
    """Everything about the demo world, which exists only with DEMO=1."""

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=("load", "people", "json"))

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if not settings.DEMO:
            raise CommandError("There is no demo world: DEMO is not 1.")
        {"load": self.load, "people": self.people, "json": self.json}[verb]()

    def load(self) -> None:
        """Make it, unless it was made before."""
        world.load(lambda said: self.stdout.write(f"  {said}"))

    def people(self) -> None:
        """Print who can sign in, with the one-time code of this half minute."""
        self.stdout.write(f"Password of everyone: {cast.PASSWORD}\n")
        self.stdout.write(f"{'Role':<20} {'E-mail':<28} {'Code':<8} Business")
        names = {demo.key: demo.name for demo in BUSINESSES}
        for person in cast.EVERYONE:
            role = ", ".join(str(one.label) for one in person.roles)
            code = f"{totp(person.seed):06d}"
            where = names.get(person.business, "our staff")
            self.stdout.write(f"{role:<20} {person.email:<28} {code:<8} {where}")
        self.stdout.write("Codes change every half minute: `make -s demo-json` gives the secrets.")

    def json(self) -> None:
        """Print the whole world as one JSON object."""
        self.stdout.write(json.dumps(_world(), indent=2))


def _world() -> dict[str, Any]:
    ids = world.made()
    if not ids:
        raise CommandError("The demo world is not made yet: `manage.py demo load` makes it.")
    base = settings.BASE_URL.rstrip("/")
    known = {row.public_id: row for row in Business.objects.filter(public_id__in=ids.values())}
    return {
        "base_url": base,
        "live_api": f"{base}/v1",
        "sandbox_api": f"{base}/sandbox/v1",
        "people": [
            {
                "email": person.email,
                "password": cast.PASSWORD,
                "totp_secret": person.totp_secret,
                "roles": [str(role) for role in person.roles],
                "business": ids[person.business] if person.business else None,
            }
            for person in cast.EVERYONE
        ],
        "businesses": [
            {"id": one.public_id, "name": one.name, "stage": _stage(one)}
            for one in (known[public_id] for public_id in ids.values())
        ],
        "keys": {"sandbox": _working_key(), "live": None},
    }


def _working_key() -> str | None:
    """Return the demo key, unless somebody has ended it."""
    plain = kept_key()
    keys = ApiKey.objects.filter(public_id=plain.partition(":")[0], status__in=OPENS)
    opens = keys.filter(grant__status=GrantStatus.OPEN, expires_at__gt=clock.now())
    return plain if opens.exists() else None


def _stage(business: Business) -> str:
    """Say how far a business is now: where its pack stands, or its application."""
    pack = Pack.objects.of(business).first()
    if pack is not None:
        return str(pack.status)
    application = Application.objects.of(business).first()
    return str(application.status) if application else "not_started"
