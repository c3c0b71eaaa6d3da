"""What a change of the restricted list touches: open applications, businesses with access."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.db.models import TextField
from django.db.models.functions import Cast

from console.publishing import in_use
from onboarding.lifecycle import OPEN, WRITABLE, ApplicationStatus
from onboarding.models import Answer, Application
from onboarding.questionnaire import completeness, loading
from onboarding.restrictions.affected import Stating


def open_applications(countries: frozenset[str]) -> Iterator[Stating]:
    """Yield applications that are not over, with the places of their answers."""
    drafts = _drafts(countries)
    rows = Application.objects.filter(status__in=OPEN, withdrawn_at=None)
    for row in rows.select_related("business", "submission").order_by("pk").iterator():
        submitted = row.submission.answers if row.submission else {}
        yield _stating(row, drafts.get(row.pk, {}) if row.status in WRITABLE else submitted)


def businesses_with_access(countries: frozenset[str]) -> Iterator[Stating]:
    """Yield executed applications, with the places of their answers."""
    rows = Application.objects.filter(status=ApplicationStatus.EXECUTED)
    for row in rows.select_related("business", "submission").order_by("pk").iterator():
        if row.submission:
            yield _stating(row, row.submission.answers)


def _drafts(countries: frozenset[str]) -> dict[int, dict[str, Any]]:
    """Return the newest answers of applications being answered that name one of the countries."""
    answers = Answer.objects.filter(
        application__status__in=WRITABLE, application__withdrawn_at=None
    )
    named = answers.annotate(text=Cast("value", TextField())).filter(
        text__regex="|".join(f'"{code}"' for code in sorted(countries))
    )
    rows = answers.filter(application__in=named.values("application"))
    found: dict[int, dict[str, Any]] = defaultdict(dict)
    newest = rows.order_by("application", "question", "-revision").distinct(
        "application", "question"
    )
    for row in newest.iterator():
        if row.value is not None:
            found[row.application_id][row.question] = row.value
    return found


def _stating(application: Application, answers: dict[str, Any]) -> Stating:
    edition = in_use.load(loading.EDITIONS, application.edition)
    return Stating(
        name=application.get_status_display(),
        business=application.business.name,
        places=tuple(completeness.places(edition, answers)),
        url=application.case_url,
    )
