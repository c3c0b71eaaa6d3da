"""Submitting one page from two tabs has one effect and one clear response."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest
from django.db.models import QuerySet
from django.urls import reverse
from playwright.sync_api import Page

from agreements.lifecycle import DecisionRole, PackStatus
from agreements.models import Decision, Pack, SignatureAct
from agreements.packs import packs
from apikeys.keys import keys
from apikeys.models import ApiKey, Grant
from console.accounts.models import User
from console.accounts.roles import Role
from console.core import clock
from onboarding.models import Application, Submission
from tests import factories
from tests.browser import Visitor
from tests.browser_runs.commits import committed
from tests.matrices.world import World

pytestmark = [pytest.mark.browser, pytest.mark.check]


def in_two_tabs(visitor: Visitor, path: str, press: Callable[[Page], object]) -> str:
    """Open a page twice, submit in one tab, then in the other, and return the other's response."""
    first, second = visitor.page, visitor.context.new_page()
    first.goto(path)
    second.goto(path)
    for tab in (first, second):
        with tab.expect_navigation() as gone:
            press(tab)
    answer = gone.value
    said = f"{answer.status}: {second.inner_text('main')}"
    second.close()
    visitor.said.clear()
    return said


def test_one_applies_once(world, at):
    business = committed(factories.a_business, "Harmattan Books")
    owner = factories.owner_of(business)
    access = reverse("onboarding:access", args=[business.public_id])
    said = in_two_tabs(at(owner), access, partial(press, name="Start"))
    assert said.startswith("200: This business already has an application. Continue with that one.")
    application = committed(Application.objects.get, business=business)
    committed(factories.filled, application)
    check = reverse("onboarding:check", args=[business.public_id])
    said = in_two_tabs(at(owner), check, partial(tick_and_press, name="Submit"))
    assert said.startswith("200: You have already submitted your answers.")
    assert committed(Submission.objects.filter(application=application).count) == 1


def test_one_signs_approves_and_countersigns_once(world, at):
    pack = committed(factories.a_pack, PackStatus.IN_REVIEW)
    owner, business = factories.owner_of(pack.business), pack.business.public_id
    signatory, document = at(owner), packs.documents_of(pack)[0].public_id
    path = reverse("agreements:document", args=[business, document])
    said = in_two_tabs(signatory, path, partial(press, name="I have read this and accept it"))
    assert said.startswith("200: You accepted: Pack cover and index.")

    committed(factories.walked, pack, PackStatus.READY_TO_SIGN)
    path = reverse("agreements:sign", args=[business])
    said = in_two_tabs(signatory, path, partial(prove_and_press, name="Sign all", by=owner))
    assert said.startswith("200: You have signed the pack.")
    assert committed(SignatureAct.objects.filter(revision__pack=pack).count) == 1

    lawyer = world.people[str(Role.LEGAL)]
    path = reverse("agreements:approve", args=[pack.application.public_id]) + "?role=legal"
    said = in_two_tabs(
        at(lawyer), path, partial(prove_and_press, name="Approve as legal", by=lawyer)
    )
    assert said.startswith("200: You have already decided on this pack.")
    assert committed(decisions_on(pack, DecisionRole.LEGAL).count) == 1

    committed(factories.walked, factories.fresh_pack(pack), PackStatus.APPROVED)
    last = world.people[str(Role.COUNTERSIGNATORY)]
    path = reverse("agreements:countersign", args=[pack.application.public_id])
    said = in_two_tabs(
        at(last), path, partial(prove_and_press, name="Countersign and seal", by=last)
    )
    assert said.startswith("200: You cannot countersign this pack, because it is being sealed.")
    assert committed(decisions_on(pack, DecisionRole.COUNTERSIGNATORY).count) == 1


def test_one_revokes_a_key_once(world, at):
    owner = at(world.people["owner"])
    key = committed(a_key_of, world)
    path = reverse("apikeys:revoke", args=[world.ours.public_id, key.public_id])
    said = in_two_tabs(owner, path, partial(name_and_press, name="Revoke Twice"))
    assert said.startswith("200: Its status is already “revoked”.")


def a_key_of(world: World) -> ApiKey:
    grant = Grant.objects.get(business=world.ours, environment="sandbox")
    ends = clock.now() + timedelta(days=30)
    scopes, by = grant.scopes(), world.people["owner"]
    return keys.issue(grant, name="Twice", scopes=scopes, expires_at=ends, by=by)[0]


def decisions_on(pack: Pack, role: DecisionRole) -> "QuerySet[Decision]":
    return Decision.objects.filter(revision__pack=pack, role=role)


def press(tab: Page, name: str) -> None:
    tab.get_by_role("button", name=name).first.click()


def prove_and_press(tab: Page, name: str, by: User) -> None:
    tab.get_by_label("One-time code").fill(factories.a_code(committed(factories.seed_of, by)))
    press(tab, name)


def tick_and_press(tab: Page, name: str) -> None:
    tab.locator("main input[type=checkbox]").check()
    press(tab, name)


def name_and_press(tab: Page, name: str) -> None:
    tab.locator("main [name=reason]").fill("It is in a log.")
    tab.locator("main [name=name]").fill("Twice")
    press(tab, name)
