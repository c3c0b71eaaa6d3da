"""Conditions for clearing an application to contract, and who must decide."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from console.accounts import business_access
from console.accounts.actors import SYSTEM, Actor
from console.accounts.models import User
from console.core.refusals import Blocker
from onboarding import case_acts
from onboarding.checks import minimum
from onboarding.evidence import authority
from onboarding.evidence.models import EvidenceFile
from onboarding.information.lifecycle import InformationStatus
from onboarding.information.models import InformationRequest
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application
from onboarding.models.check import CheckKind
from onboarding.ownership.structure import is_given
from onboarding.review.ownership_panel import ownership_now
from onboarding.tiers import Tier

# How a screening provider marks a politically exposed person, and a relative or close associate.
EXPOSED = r"role\.(pep|rca)"


def blockers(application: Application, *, by: Actor) -> list[Blocker]:
    """Return what blocks clearing by this actor, in the order a reviewer would resolve it."""
    found = list(_blockers(application))
    if not isinstance(by, User):
        return [*found, *_needs_a_person(application)]
    return [*found, *_needs_the_head(application, by)]


def concerns(application: Application) -> list[str]:
    """Return why only the head of compliance may clear it, with a reason and evidence.

    The database enforces the same conditions.
    """
    submission = application.submission
    answers = submission.answers if submission else {}
    screened = application.checks.filter(
        kind=CheckKind.SCREENING, submission=submission, evidence__topics__iregex=EXPOSED
    )
    found = {
        _("Its tier is HIGH."): application.tier not in (Tier.LOW, Tier.MEDIUM),
        _("It names a politically exposed person."): bool(answers.get("ri_pep")),
        _("Screening found a politically exposed person, or one close to them."): screened.exists(),
        _("The business says that somebody has been subject to sanctions."): bool(
            answers.get("ri_sanctions")
        ),
    }
    return [words for words, is_so in found.items() if is_so]


def untraced(application: Application) -> list[str]:
    """Return what is not known of the owners, which a reviewer must judge.

    Editions that asked for people alone say it by the score.
    """
    submission = application.submission
    if submission is None or not is_given(submission.answers):
        return []
    return [finding.says for finding in ownership_now(application).open_findings]


def clears_itself(application: Application) -> bool:
    """Tell whether we clear it without a reviewer once its checks and requests are settled."""
    assessment = application.assessment
    return bool(
        application.status == ApplicationStatus.SUBMITTED
        and assessment
        and not assessment.knock_outs
        and not concerns(application)
        and not untraced(application)
    )


def what_follows(application: Application) -> str:
    """Return the sentence that the case clears itself now, after an act that settled the last."""
    application = Application.objects.select_related("business", "submission", "assessment").get(
        pk=application.pk
    )
    if application.status == ApplicationStatus.SUBMITTED and not blockers(application, by=SYSTEM):
        return _("Nothing else is missing, so we clear the case within seconds.")
    return ""


def evidence(application: Application) -> list[EvidenceFile]:
    """Return the files on which a decision can rest."""
    return [file for file in EvidenceFile.objects.of(application) if file.is_shown]


def _blockers(application: Application) -> Iterator[Blocker]:
    yield from business_access.blockers(application.business, is_told=False)
    # The worker calculates the score within seconds of a submission.
    if application.assessment is None:
        yield Blocker("assessment", _("The score is not ready yet. Try again in a moment."))
    else:
        for hit in application.assessment.knock_outs:
            yield Blocker(hit["effect"], f"{hit['name']}: you can only decline this application.")
    yield from minimum.blockers(application)
    if authority.awaits_decision(application):
        said = _("Legal has not accepted the written authority of the signatory.")
        yield Blocker("authority", said)
    if _requests(application, InformationStatus.OPEN):
        yield Blocker("information", _("The business has not answered our questions."))


def _needs_a_person(application: Application) -> Iterator[Blocker]:
    # A reviewer who clears has read the answers.
    if _requests(application, InformationStatus.ANSWERED):
        yield Blocker("answers", _("A reviewer has not accepted the answers to our questions."))
    if application.assessment and (found := concerns(application)):
        yield Blocker("needs_a_person", " ".join([*found, _("Compliance must decide.")]))
    if gaps := untraced(application):
        yield Blocker("ownership", " ".join([*gaps, _("A reviewer must decide.")]))


def _needs_the_head(application: Application, person: User) -> Iterator[Blocker]:
    if not (application.assessment and (found := concerns(application))):
        return
    if not case_acts.is_head(person):
        said = _("Only the head of compliance can clear this case, with a reason and evidence.")
        yield Blocker("head", " ".join([*found, said]))
    if not evidence(application):
        said = _("There is no evidence file to base the decision on. Ask the business for one.")
        yield Blocker("evidence", said)


def _requests(application: Application, status: InformationStatus) -> bool:
    return InformationRequest.objects.filter(application=application, status=status).exists()
