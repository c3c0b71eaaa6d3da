"""Scoring of submissions: facts from the frozen answers and the checks, stored as assessments."""

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from django.db import transaction

from console.accounts.actors import Actor
from console.audit import log as audit
from console.core import clock
from console.publishing import in_use
from onboarding.lifecycle import CheckStatus
from onboarding.models import Application, Assessment, Check, Submission
from onboarding.models.check import CheckKind
from onboarding.questionnaire import completeness, loading
from onboarding.reference.bands import BANDS, RATES
from onboarding.restrictions import refusing
from onboarding.risk.assess import RiskOutcome, assess
from onboarding.risk.model import MODELS
from onboarding.risk.risk_facts import Reference, Verified, facts_of


@transaction.atomic
def make(application: Application, *, by: Actor) -> Application:
    """Score the newest submission, unless the same facts were scored with the same model."""
    application = Application.objects.locked(application)
    submission = application.submission
    if submission is None:
        return application
    versions = in_use.versions(MODELS, BANDS, RATES)
    reference = Reference(
        in_use.load(BANDS, versions[BANDS.key]),
        in_use.load(RATES, versions[RATES.key]),
        submission.submitted_at.date(),
    )
    facts = facts_of(submission.answers, _verified(submission), reference)
    read = {name: asdict(fact) for name, fact in facts.items()}
    outcome = assess(facts, in_use.load(MODELS, versions[MODELS.key]))
    if _is_known(application.assessment, submission, read, outcome):
        return application

    application.assessment = _keep(application, submission, read, outcome, reference)
    application.save(update_fields=["assessment"])
    audit.record(
        "application.assessed",
        application,
        by=by,
        after={"tier": str(outcome.tier), "score_x100": outcome.score_x100},
        model=outcome.model_sha256,
    )
    return application


def _is_known(
    last: Assessment | None, submission: Submission, read: dict[str, Any], outcome: RiskOutcome
) -> bool:
    return (
        last is not None
        and last.submission_id == submission.pk
        and last.facts == read
        and last.model_sha256 == outcome.model_sha256
    )


def _keep(
    application: Application,
    submission: Submission,
    read: dict[str, Any],
    outcome: RiskOutcome,
    reference: Reference,
) -> Assessment:
    lists = {
        "bands": reference.bands.version,
        "rates": reference.rates.version,
        "restricted": refusing.current().version,
    }
    return Assessment.objects.create(
        application=application,
        submission=submission,
        number=application.assessments.count() + 1,
        lists=lists,
        facts=read,
        assessed_at=clock.now(),
        **asdict(outcome),
    )


def _verified(submission: Submission) -> Verified:
    checks = [check for check in submission.checks.all() if not check.is_void]
    screened = {check.status for check in checks if check.kind == CheckKind.SCREENING}
    places = completeness.places(
        in_use.load(loading.EDITIONS, submission.edition), submission.answers
    )
    return Verified(
        restricted=bool(refusing.find(places)),
        sanctions=_sanctions(screened),
        signatory=_signatory(submission.checks.all()),
    )


def _signatory(checks: Iterable[Check]) -> str | None:
    """Return how the signatories were identified, or None if one of them was not."""
    asked = [check for check in checks if check.kind == CheckKind.SIGNATORY]
    if not asked or any(one.is_void or one.status != CheckStatus.PASSED for one in asked):
        return None
    return str(asked[0].evidence.get("method", "remote_document"))


def _sanctions(screened: set[str]) -> str:
    if CheckStatus.FAILED in screened:
        return "confirmed"
    return "possible" if CheckStatus.NEEDS_REVIEW in screened else "none"
