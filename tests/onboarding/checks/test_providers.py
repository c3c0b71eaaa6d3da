"""Providers: chosen by setting, answering later, called back, left alone while they are down."""

from datetime import timedelta

import pytest
import time_machine
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.urls import reverse

from console.accounts.roles import Role
from console.core import clock
from console.events.models import Event
from onboarding.checks import asking, connected, runs
from onboarding.checks.providers import CheckResult, Inquiry, ProviderDown
from onboarding.checks.simulated import Identity, Register
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.models import Check, ProviderOutage
from onboarding.models.check import CheckKind
from tests import factories

SLOW = {"ow_signatory_name": "Patience Okoro"}


class Counted:
    """A register that never answers, and counts how often it was asked."""

    name, simulated = "counted", False

    def __init__(self) -> None:
        self.asked = 0

    def look(self, inquiry: Inquiry) -> CheckResult:
        self.asked += 1
        raise ProviderDown("The register did not answer.")


def signatory(application) -> Check:
    return application.submission.checks.get(kind="signatory")


def call(body: bytes, signature: str, provider: str = Identity.name):
    path = reverse("onboarding:result_ready", args=[provider])
    headers = {"Simulated-Signature": signature}
    return Client().post(path, body, content_type="text/plain", headers=headers)


def test_a_result_that_comes_later_is_asked_for_and_then_clears_the_application():
    application = factories.a_reviewed_application(**SLOW)
    check = signatory(application)
    assert (check.status, application.status) == ("running", ApplicationStatus.SUBMITTED)
    assert check.reference.startswith("sim-")

    runs.again_by_itself()
    factories.settle_reviews()
    assert signatory(application).status == CheckStatus.RUNNING

    with time_machine.travel(clock.now() + timedelta(minutes=1, seconds=1), tick=False):
        for _ in range(2):
            runs.again_by_itself()
        factories.settle_reviews()
    check = signatory(application)
    assert (check.status, check.ask_at) == (CheckStatus.PASSED, None)
    assert check.reference.startswith("sim-")
    assert factories.fresh(application).status == ApplicationStatus.CLEARED


def test_a_signed_call_brings_the_result_early():
    application = factories.a_reviewed_application(**SLOW)
    reference = signatory(application).reference.encode()
    signed = Identity().signature_of(reference)

    assert call(reference, "0" * 64).status_code == 403
    assert call(reference, signed, "nobody").status_code == 404
    assert call(reference, signed, "check-digits").status_code == 404
    factories.settle_reviews()
    assert signatory(application).status == CheckStatus.RUNNING

    assert call(reference, signed).status_code == 204
    factories.settle_reviews()
    assert signatory(application).status == CheckStatus.PASSED
    assert call(reference, signed).status_code == 204


def test_an_outage_while_we_wait_does_not_start_the_check_again(monkeypatch):
    application = factories.a_reviewed_application(**SLOW)
    before = signatory(application)

    def down(*_):
        raise ProviderDown("No answer.")

    monkeypatch.setattr(Identity, "result", down)
    runs.run(before)
    waiting = signatory(application)
    assert (waiting.status, waiting.reference) == (CheckStatus.RUNNING, before.reference)

    with time_machine.travel(clock.now() + asking.LONGEST_WAIT + timedelta(minutes=1), tick=False):
        runs.run(before)
        assert signatory(application).status == CheckStatus.ERRORED


def test_a_provider_that_is_down_is_left_alone_for_a_while(settings, monkeypatch):
    register = Counted()
    monkeypatch.setitem(connected.PROVIDERS, "counted", register)
    settings.CHECK_PROVIDERS = {"registry": "counted"}
    first, second = factories.a_reviewed_application(), factories.a_reviewed_application()

    assert register.asked == asking.FAILURES
    checks = Check.objects.filter(kind="registry", application__in=(first, second))
    assert {check.status for check in checks} == {CheckStatus.ERRORED}
    outage = ProviderOutage.objects.get()
    assert outage.until is not None
    with time_machine.travel(outage.until + timedelta(seconds=1), tick=False):
        runs.run(checks[0])
        assert register.asked == asking.FAILURES + 1
        runs.run(checks[1])
        assert register.asked == asking.FAILURES + 1

    monkeypatch.setattr(Counted, "look", lambda *_: CheckResult(CheckStatus.PASSED, "Found."))
    with time_machine.travel(clock.now() + asking.LONGEST_PAUSE, tick=False):
        assert runs.run(checks[0]).status == CheckStatus.PASSED
    assert not ProviderOutage.objects.exists()


def test_attempts_are_further_and_further_apart(monkeypatch, settings):
    monkeypatch.setitem(connected.PROVIDERS, "counted", Counted())
    settings.CHECK_PROVIDERS = {"registry": "counted"}
    application = factories.a_reviewed_application()
    check = application.submission.checks.get(kind="registry")

    waits = []
    for _ in range(3):
        with time_machine.travel(check.ask_at or clock.now(), tick=False):
            check = runs.run(check)
            assert check.ask_at is not None
            waits.append(check.ask_at - clock.now())
    assert waits == [runs.PAUSE * 2, runs.PAUSE * 4, runs.PAUSE * 8]


@pytest.mark.parametrize("kind", CheckKind.values)
def test_no_simulated_provider_answers_outside_the_demo_world(settings, kind):
    settings.DEMO = False
    for name in connected.PROVIDERS:
        settings.CHECK_PROVIDERS = {kind: name}
        assert not connected.provider_of(kind).simulated
    settings.CHECK_PROVIDERS = {}
    assert not connected.provider_of(kind).simulated


@pytest.mark.parametrize("said", [{"registry": "nobody-knows"}, {"weather": "check-digits"}])
def test_an_unknown_kind_or_provider_refuses_to_start(settings, said):
    settings.CHECK_PROVIDERS = said
    with pytest.raises(ImproperlyConfigured, match="CHECK_PROVIDERS says"):
        connected.refuse_unknown()


def test_a_reviewer_may_be_the_provider(settings):
    settings.CHECK_PROVIDERS = {"registry": "reviewer"}
    application = factories.a_reviewed_application()
    check = application.submission.checks.get(kind="registry")
    assert (check.status, check.provider) == (CheckStatus.NEEDS_REVIEW, "")


def test_a_repeated_check_that_fails_brings_the_case_back_to_its_reviewers(monkeypatch, client):
    application = factories.an_application(ApplicationStatus.EXECUTED)
    reviewer = factories.one_of_staff(Role.COMPLIANCE)
    queue = reverse("onboarding:review_queue")
    assert application.case_url not in factories.signed_in(client, reviewer).get(queue).text
    gone = CheckResult(CheckStatus.FAILED, "The company is dissolved.")
    monkeypatch.setattr(Register, "look", lambda *_: gone)

    registry = application.submission.checks.get(kind="registry")
    assert registry.valid_until is not None
    with time_machine.travel(registry.valid_until + timedelta(minutes=1), tick=False):
        runs.expire_outlived()
        factories.settle_reviews()
        text = factories.signed_in(client, reviewer).get(queue).text
    assert application.case_url in text
    assert "A check was run again and did not pass" in text
    assert Event.objects.filter(kind="application.reviewer_needed").count() == 1
    assert factories.fresh(application).status == ApplicationStatus.EXECUTED
