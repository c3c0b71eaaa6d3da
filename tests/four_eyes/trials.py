"""Shared parts of the four-eyes proofs: who judged a case, and what a person can do on it.

Judgements are counted from the audit log and the decisions, not from the rows that prevent them.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import TypeVar

from django.db import transaction
from django.test import Client
from django.urls import reverse

from agreements.models import Decision
from apikeys.going_live.models import GoLiveRequest
from console.accounts import access, members
from console.accounts.models import User
from console.accounts.roles import Role
from console.audit.models import Entry
from onboarding.models import Check, CheckWaiver
from tests import factories
from tests.four_eyes import cases
from tests.four_eyes.cases import Case, Deed

T = TypeVar("T")
# Every possible order of joining, leaving, changing role and acting.
ORDERS = ("join act", "join leave act", "join change leave act", "join change act", "act join")
JUDGING = ("cleared", "held", "released", "returned", "declined")
GOING_LIVE = {
    "go_live_request.proposed": "account_manager",
    "go_live_request.approved": "compliance",
    "go_live_request.declined": "compliance",
    "go_live_request.confirmed": "the business",
}
CHECKED = ("check.decided_passed", "check.decided_failed", "check.asked_again")
# One person may take only one of these steps per waiver, although both have the same capacity.
TWO_STEPS = ("check_waiver.proposed", "check_waiver.confirmed", "check_waiver.refused")


@contextmanager
def taken_back() -> Iterator[None]:
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def capacities_in(case: Case) -> dict[str, set[str]]:
    """Return the capacities in which each person judged the case, according to the audit log."""
    found: dict[str, set[str]] = defaultdict(set)
    application = case.pack.application
    checks = Check.objects.filter(application=application).values("public_id")
    waivers = CheckWaiver.objects.filter(waived_check__application=application).values("public_id")
    requests = GoLiveRequest.objects.filter(application=application).values("public_id")
    about = Entry.objects.filter
    entries = (
        about(subject_id__in=[case.pack.public_id, application.public_id])
        | about(subject_id__in=checks, code__in=CHECKED)
        | about(subject_id__in=waivers)
        | about(subject_id__in=requests, code__in=GOING_LIVE)
    )
    for entry in entries.exclude(actor_id="").order_by("pk"):
        body = json.loads(entry.body)["body"]
        if "verdict" in body["details"]:
            found[entry.actor_id].add(body["details"]["role"])
        elif entry.code in GOING_LIVE:
            found[entry.actor_id].add(GOING_LIVE[entry.code])
        elif _judges(entry.code):
            found[entry.actor_id].add("compliance")
    return found


def _judges(code: str) -> bool:
    """Return whether the code is a decision by compliance."""
    kind, _, to = code.partition(".")
    return kind in ("check", "check_waiver") or (kind == "application" and to in JUDGING)


def judged_twice(case: Case) -> list[str]:
    """Return who judged the case in two capacities, or decided twice on one pack or one waiver."""
    twice = [person for person, held in capacities_in(case).items() if len(held) > 1]
    decided = Decision.objects.filter(revision__pack=case.pack).values_list("revision", "person")
    steps = Entry.objects.filter(code__in=TWO_STEPS).values_list("subject_id", "actor_id")
    pairs = Counter(map(str, [*decided, *steps]))
    return twice + [pair for pair, times in pairs.items() if times > 1]


def judged_and_belonged(case: Case) -> list[str]:
    judges = User.objects.filter(public_id__in=capacities_in(case))
    return [str(one) for one in judges if access.has_belonged(one, case.pack.business)]


def some(trials: list[T], size: int) -> list[T]:
    """Return `size` of the trials, the same ones in every run."""
    return Random(35).sample(trials, size)


def joined(case: Case, person: User, role: Role) -> bool:
    """Accept an invitation on its page; return whether that worked."""
    owner = factories.owner_of(case.pack.business)
    invitation = members.invite(case.pack.business, email=person.email, role=role, by=owner)
    path = reverse("accounts:accept", args=[members.invitation_token(invitation)])
    return factories.signed_in(Client(), person).post(path).status_code == 302


def walked(case: Case, deed: Deed, order: str, role: Role, way: str) -> list[str]:
    """Let one person take the steps in this order; return those that should have been refused."""
    person, business = cases.a_reviewer(deed.capacity), case.pack.business
    owner, done = factories.owner_of(business), []
    for step in order.split():
        if step == "join" and joined(case, person, role):
            done.append("join")
        elif step == "change":
            other = Role.DEVELOPER if role == Role.VIEWER else Role.VIEWER
            members.set_roles(business, person, [other], by=owner)
        elif step == "leave":
            members.set_roles(business, person, [], by=owner)
        elif step == "act" and getattr(deed, way)(case, person):
            done.append("act")
    said = f"{order} as {role}: {deed.name} ({way})"
    # Deciding about products makes nobody a reviewer, so the person may join the business later.
    both = not deed.is_judgement and order == "act join"
    expected = order.split() if both else order.split()[:1]
    wrong = [] if done == expected else [f"{said}: {' and '.join(done) or 'nothing'}"]
    return wrong + [f"{said}: {one} belonged" for one in judged_and_belonged(case)]


REVIEWER = (
    "INSERT INTO onboarding_reviewer (application_id, person_id, capacity, since)"
    " VALUES (%s, %s, %s, now())"
)
MEMBER = (
    "INSERT INTO accounts_membership (public_id, user_id, business_id, role, since)"
    " VALUES ('mem_x', %s, %s, 'viewer', now())"
)
