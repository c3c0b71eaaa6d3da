"""Factories for people, businesses and signed-in clients."""

import time
from datetime import timedelta
from itertools import count
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.test import Client
from django_otp.oath import totp

from console.accounts import businesses, factors, staff
from console.accounts.actors import SYSTEM
from console.accounts.models import Business, Membership, User
from console.accounts.roles import Role
from console.audit import log as audit
from console.core import clock

HALF_MINUTE = 30  # seconds that a one-time code is valid

number = count(1)


def a_person(name: str = "", *, email: str = "", password: str | None = None) -> User:
    """Return a person with a confirmed e-mail address."""
    person = _a_new_person(name, email)
    person.set_password(password)
    return keep(person)


@transaction.atomic
def keep(person: User) -> User:
    """Save a changed or new person, with the audit entry that the database requires."""
    person.save()
    audit.record("test.changed", person, by=SYSTEM)
    return person


def _a_new_person(name: str = "", email: str = "") -> User:
    n = next(number)
    return User(
        email=(email or f"person{n}@example.com").lower(),
        name=name or f"Person {n}",
        email_confirmed_at=clock.now(),
    )


def a_business(name: str = "Acme Limited", *, owner: User | None = None) -> Business:
    """Return a newly registered business with its owner."""
    return businesses.register(name, by=owner or a_person())


def owner_of(business: Business) -> User:
    rows = Membership.objects.select_related("user")
    return rows.filter(business=business, role=Role.OWNER).order_by("pk")[0].user


def a_member(business: Business, role: Role) -> User:
    """Return a new person with that role in the business."""
    person = a_person()
    join(business, person, role)
    return person


@transaction.atomic
def change(rows: "QuerySet[Any]", **changes: Any) -> None:
    """Change rows directly, with the audit entries that the database requires."""
    rows.update(**changes)
    after = {"status": str(changes["status"])} if "status" in changes else {}
    for row in rows.all():
        audit.record("test.changed", row, by=SYSTEM, after=after)


def join(business: Business, person: User, role: Role) -> None:
    """Give a person a role in the business without an invitation."""
    with transaction.atomic():
        Membership.objects.create(user=person, business=business, role=role)
        audit.record("member.joined", person, by=SYSTEM, business=business)


def leave(business: Business, person: User) -> None:
    """End a person's roles in the business, also the owner's."""
    with transaction.atomic():
        Membership.objects.filter(user=person, business=business).delete()
        audit.record("member.removed", person, by=SYSTEM, business=business)


def one_of_staff(*roles: Role, password: str | None = None) -> User:
    """Return a member of staff with an authenticator and a password, unusable by default."""
    person = _a_new_person()
    if password is None:
        person.password = "md5$nobody$knows"
    else:
        person.set_password(password)
    keep(person)
    for role in roles:
        staff.give_role(person, role, by=SYSTEM)
    an_authenticator(person)
    return person


def an_authenticator(person: User) -> bytes:
    """Give the person an authenticator of two days ago, unless they have one; return its seed."""
    if factors.authenticator_of(person) is None:
        with transaction.atomic():
            app = factors.begin_set_up(person, by=person)
            app.confirmed, app.created_at = True, clock.now() - timedelta(days=2)
            app.save()
    return seed_of(person)


def seed_of(person: User) -> bytes:
    """Return the seed of the person's authenticator."""
    app = factors.authenticator_of(person)
    assert app is not None
    return app.seed


def a_code(seed: bytes, *, ahead: int = 0) -> str:
    """Return the current one-time code, or the one `ahead` 30-second periods later.

    Staff codes are valid only in their own period, so wait for the next one if under 3 s are left.
    """
    left = HALF_MINUTE - time.time() % HALF_MINUTE
    time.sleep(left if left < 3 else 0)
    return f"{totp(seed, drift=ahead):06d}"


def signed_in(client: Client, person: User, *, by: str = "code") -> Client:
    """Sign the client in as this person, with identity just confirmed.

    Unless `by` is "password", give the person an authenticator if they have none.
    """
    if by != "password":
        an_authenticator(person)
    client.force_login(person)
    session: Any = client.session
    if app := factors.authenticator_of(person):
        session["otp_device_id"] = app.persistent_id
    session["began_at"] = session["seen_at"] = clock.now().isoformat()
    session["confirmed"] = {"at": clock.now().isoformat(), "by": by}
    session.save()
    return client


def long_ago(client: Client) -> Client:
    """Make the session's identity confirmation too old for anything sensitive."""
    session: Any = client.session
    session["confirmed"] = {"at": "2000-01-01T00:00:00+00:00", "by": "code"}
    session.save()
    return client


def just_now(client: Client, *, by: str = "code") -> Client:
    """Mark the session's identity as just confirmed."""
    session: Any = client.session
    session["confirmed"] = {"at": clock.now().isoformat(), "by": by}
    session.save()
    return client


def seconds_left_of_this_code() -> float:
    return 30 - time.time() % 30
