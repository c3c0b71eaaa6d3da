"""`manage.py demo load|people|json|check|end`: create, show and remove the demo data.

`load` creates it, `people` lists who can sign in, and `json` prints everything. Without DEMO=1,
`check` fails if demo accounts still work, and `end` disables them.
"""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import OperationalError, ProgrammingError
from django_otp.oath import totp

from agreements.models import Pack
from api.demo import people as cast
from api.demo import shutdown, world
from api.demo.businesses import BUSINESSES
from api.demo.saved_keys import kept_key, kept_webhook_secrets
from api.providers import configured
from apikeys.lifecycle import OPENS, Environment, GrantStatus
from apikeys.models import ApiKey
from console.accounts.actors import SYSTEM
from console.accounts.models import Business
from console.core import clock
from onboarding.models import Application


class Command(BaseCommand):
    """Create the demo data (load), print it (people, json), or disable its accounts (end).

    Without DEMO=1, only check and end work; check fails if demo accounts still work.
    """

    help = __doc__

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("verb", choices=("load", "people", "json", "check", "end"))

    def handle(self, *args: Any, verb: str, **options: Any) -> None:
        if verb in ("load", "people", "json") and not settings.DEMO:
            raise CommandError("There is no demo world: DEMO is not 1.")
        verbs = {
            "load": self.load,
            "people": self.people,
            "json": self.json,
            "check": self.refuse_what_is_left,
            "end": self.end,
        }
        verbs[verb]()

    def load(self) -> None:
        """Create the demo data, unless it exists."""
        world.load(lambda said: self.stdout.write(f"  {said}"))

    def people(self) -> None:
        """Print everyone who can sign in, with their current one-time code."""
        self.stdout.write(f"Password of everyone: {cast.PASSWORD}\n")
        self.stdout.write(f"{'Role':<20} {'E-mail':<28} {'Code':<8} Business")
        names = {demo.key: demo.name for demo in BUSINESSES}
        for person in cast.EVERYONE:
            role = ", ".join(str(one.label) for one in person.roles)
            code = f"{totp(person.seed):06d}"
            where = names.get(person.business, "our staff")
            self.stdout.write(f"{role:<20} {person.email:<28} {code:<8} {where}")
        self.stdout.write("Codes change every half minute: `make -s demo-json` gives the secrets.")
        connected = ", ".join(one.name for one in configured.providers())
        self.stdout.write(
            f"In live, payouts and accounts go through the provider {connected}."
            if connected
            else "Live has no provider: its calls that move money answer NO_PROVIDER_ENABLED."
        )

    def refuse_what_is_left(self) -> None:
        """Fail without DEMO=1 if demo accounts or keys still work. Every service runs it first."""
        try:
            people, keys = len(shutdown.who_can_sign_in()), shutdown.working_keys().count()
        except (OperationalError, ProgrammingError) as error:
            raise CommandError(f"The database cannot be asked: {error}") from error
        if not settings.DEMO and (people or keys):
            raise CommandError(
                f"{people} people of the demo world can still sign in, with passwords or e-mails "
                f"that were published, and {keys} of their keys work. `make reset` empties it; "
                '`make manage ARGS="demo end"`, or `access-console demo end` of an installation, '
                "ends these passwords, authenticators and keys, and keeps everything else."
            )

    def end(self) -> None:
        """Disable the passwords, authenticators and keys of demo people; delete demo e-mails."""
        shutdown.end(by=SYSTEM)
        self.stdout.write("Nobody of the demo world can sign in, and none of their keys works.")

    def json(self) -> None:
        """Print all demo data as one JSON object."""
        self.stdout.write(json.dumps(_world(), indent=2))


def _world() -> dict[str, Any]:
    ids = world.made()
    if not ids:
        raise CommandError("The demo world is not made yet: `manage.py demo load` makes it.")
    base = settings.BASE_URL.rstrip("/")
    known = {row.public_id: row for row in Business.objects.filter(public_id__in=ids.values())}
    return {
        "base_url": base,
        "live_api": base + settings.API_ROOTS["live"],
        "sandbox_api": base + settings.API_ROOTS["sandbox"],
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
        "keys": {name: _working_key(name) for name in Environment.values},
        "webhooks": {
            "receiver": f"{base}/demo/receiver/",
            "signing_secrets": kept_webhook_secrets(),
        },
    }


def _working_key(name: str) -> str | None:
    """Return the demo key of that environment, if it still works."""
    plain = kept_key(name)
    keys = ApiKey.objects.filter(public_id=plain.partition(":")[0], status__in=OPENS)
    opens = keys.filter(grant__status=GrantStatus.OPEN, expires_at__gt=clock.now())
    return plain if opens.exists() else None


def _stage(business: Business) -> str:
    """Return the status of the business's pack, or of its application."""
    pack = Pack.objects.of(business).first()
    if pack is not None:
        return str(pack.status)
    application = Application.objects.of(business).first()
    return str(application.status) if application else "not_started"
