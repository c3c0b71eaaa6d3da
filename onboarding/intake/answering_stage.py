"""The stage “Answer the questions” of a business's progress."""

from django.urls import reverse
from django.utils.translation import gettext as _

from console.accounts.models import Business
from console.shell.progress import StageStatus
from onboarding import application_progress
from onboarding.intake import answers, tasklist
from onboarding.lifecycle import ApplicationStatus
from onboarding.models import Application


def answering(business: Business) -> StageStatus:
    """Return a business's status at the stage; a complete draft leads to the check page."""
    application = application_progress.on_the_way(business)
    row = application_progress.status_row(application)
    if application is not None and _is_complete_draft(application):
        page = reverse("onboarding:check", args=[business.public_id])
        return StageStatus(
            row.step.state, _("You have answered every question"), page, _("Check and submit")
        )
    if application is None or application.is_writable:
        url = Application(business=business).get_absolute_url()
        return StageStatus(row.step.state, _(row.business.at_the_step), url, _("Open"))
    url = application.get_absolute_url()
    if row.step.behind:
        return StageStatus("done", _("Submitted"), url, _("See"))
    return StageStatus(row.step.state, str(application.told_status.label), url)


def _is_complete_draft(application: Application) -> bool:
    if application.status != ApplicationStatus.DRAFT:
        return False
    return tasklist.task_list(answers.answer_set(application)).is_complete
