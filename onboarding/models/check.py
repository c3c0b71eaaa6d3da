"""Check: one fact about a submission that an external provider confirms."""

from collections.abc import Iterable
from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.accounts.models import Business, User
from console.audit.recorded import Recorded
from console.core import clock, ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import SetOnce
from console.core.immediate_key import ImmediateForeignKey
from console.core.moves_constraint import MovesConstraint
from onboarding import simulation
from onboarding.lifecycle import CHECK_LIFECYCLE, RESULTS, SETTLED, CheckStatus
from onboarding.models.application import Application
from onboarding.models.submission import Submission

_RESULT = ["provider", "simulated", "says", "evidence", "finished_at", "valid_until"]
_CHANGED = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in _RESULT)


class CheckKind(models.TextChoices):
    """The minimum checks (legal identity, number, sanctions, signatory), and those of owners."""

    REGISTRY = "registry", gettext_lazy("Legal identity confirmed by the register")
    NUMBER = "number", gettext_lazy("Registration number valid")
    SCREENING = "screening", gettext_lazy("No sanctions match")
    SIGNATORY = "signatory", gettext_lazy("Signatory identified")
    OWNERS = "owners", gettext_lazy("Owners and directors agree with the register")
    IDENTITY = "identity", gettext_lazy("Owner identified")
    ADDRESS = "address", gettext_lazy("Home address confirmed")


def settled() -> Q:
    """Return the condition for settled checks."""
    counts = Q(status__in=SETTLED)
    if simulation.is_allowed():
        return counts
    return counts & ~Q(status=CheckStatus.PASSED, simulated=True)


class CheckQuerySet(models.QuerySet["Check"]):
    """Queries for checks."""

    def in_order(self) -> Self:
        return self.order_by("pk")

    def with_case(self) -> Self:
        return self.select_related("application__business", "submission")

    def newest_of(self, statuses: Iterable[str]) -> Self:
        """Return those of the newest submissions of applications in these statuses."""
        newest = F("application__submission")
        return self.filter(application__status__in=statuses, submission=newest)

    def to_ask(self) -> Self:
        """Return those that failed or wait for a result, and whose time to ask has come."""
        due = self.filter(status__in=(CheckStatus.RUNNING, CheckStatus.ERRORED))
        return due.filter(ask_at__lte=clock.now()).order_by("ask_at", "pk")

    def outlived(self) -> Self:
        """Return settled checks whose validity has ended."""
        return self.filter(status__in=SETTLED, valid_until__lte=clock.now()).in_order()

    def void(self) -> Self:
        """Return those with a simulated result where simulated results are not accepted."""
        if simulation.is_allowed():
            return self.none()
        return self.filter(simulated=True, status__in=RESULTS).in_order()

    def locked(self, check: "Check") -> "Check":
        """Return the current row, locked with its application until the transaction ends.

        The application comes first: saving the check may change it, and others lock it first too.
        """
        Application.objects.locked(check.application)
        rows = self.select_for_update(no_key=True, of=("self",))
        return rows.select_related(
            "application__business", "application__assessment", "submission"
        ).get(pk=check.pk)


class Check(models.Model):
    """One fact about a submission that an external provider confirms, and the result.

    `subject` is whom it is about: `company`, `signatory`, `signatory.1` for the first who signs
    with them, `owner.0`, the first party of the structure of owners, or `named.li_contact_name`,
    whom an answer names. `simulated` is true if we
    simulated the provider. `says` is the result as a sentence, `reference` the provider's own name
    for it. While `running`, that result may come later, and `ask_at` is when we ask for it; while
    `errored`, it is when we try again. A passed or waived check is valid until `valid_until`.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("chk"))
    application = models.ForeignKey(Application, on_delete=models.PROTECT, related_name="checks")
    submission = models.ForeignKey(Submission, on_delete=models.PROTECT, related_name="checks")
    kind = models.CharField(max_length=20, choices=CheckKind)
    subject = models.CharField(max_length=40)
    subject_name = models.CharField(max_length=300)
    status = models.CharField(max_length=20, choices=CheckStatus, default=CheckStatus.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    ask_at = models.DateTimeField(null=True)
    waiting_since = models.DateTimeField(null=True)
    reference = models.CharField(max_length=200, blank=True)
    provider = models.CharField(max_length=60, blank=True)
    simulated = models.BooleanField(default=True)
    says = models.TextField(blank=True)
    evidence = models.JSONField(default=dict, blank=True)
    finished_at = models.DateTimeField(null=True)
    valid_until = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(blank=True)

    objects = CheckQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(
                fields=["ask_at"], condition=Q(ask_at__isnull=False), name="checks_to_ask"
            ),
            models.Index(
                fields=["finished_at", "id"],
                condition=Q(kind=CheckKind.SCREENING, status=CheckStatus.NEEDS_REVIEW),
                name="possible_matches_that_wait",
            ),
        ]
        constraints = [
            MovesConstraint(arrows=CHECK_LIFECYCLE.arrows(), name="check_moves_by_the_table"),
            models.CheckConstraint(
                condition=Q(status__in=CheckStatus.values), name="check_status_is_known"
            ),
            models.UniqueConstraint(
                fields=["submission", "kind", "subject"], name="one_check_for_each_question"
            ),
            models.CheckConstraint(
                condition=Q(decided_by=None, decided_at=None, reason="")
                | (Q(decided_by__isnull=False, decided_at__isnull=False) & ~Q(reason="")),
                name="a_decision_on_a_check_is_whole",
            ),
            models.CheckConstraint(
                condition=~Q(status=CheckStatus.WAIVED) | Q(valid_until__isnull=False),
                name="a_waived_check_has_an_end",
            ),
            SetOnce(
                fields=["id", "public_id", "application", "submission"],
                name="a_check_is_of_one_case",
            ),
            ImmediateForeignKey(
                fields=["submission", "application"],
                to="onboarding.Submission",
                to_fields=["id", "application"],
                name="a_check_is_of_its_own_submission",
            ),
            DatabaseRule.beside(__file__, "onboarding_require_reviewer"),
            DatabaseRule.beside(__file__, "onboarding_require_waiver"),
            DatabaseRule.beside(__file__, "onboarding_require_act_on_check"),
            DatabaseRule.beside(__file__, "onboarding_keep_results"),
            Recorded(fields=_RESULT, name="results_of_checks_are_recorded", condition=_CHANGED),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.subject_name}: {self.status}"

    @property
    def is_settled(self) -> bool:
        """Whether it is currently accepted: passed or waived, and not void."""
        return self.status in SETTLED and not self.is_void

    @property
    def is_waiting(self) -> bool:
        """Whether its provider works on it, and it is not yet time to ask for the result."""
        return bool(self.reference) and self.ask_at is not None and self.ask_at > clock.now()

    @property
    def is_void(self) -> bool:
        """Whether its result is simulated where simulated results are not accepted."""
        return self.simulated and self.status in RESULTS and not simulation.is_allowed()

    @property
    def status_in_words(self) -> str:
        """The status for use in a sentence. A void result is never called passed."""
        if self.is_void:
            return _("simulated, so it does not count")
        return CheckStatus(self.status).label.lower()

    @property
    def business(self) -> Business:
        return self.application.business
