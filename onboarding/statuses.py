"""How each status of applications and checks, and each tier, is shown."""

from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

from console.core.status_table import BusinessText, StaffText, StatusRow, StepPlace
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.tiers import Tier

S = ApplicationStatus
# Also shown for a hold, which the business must not see.
_IN_REVIEW = BusinessText(
    _("We are reviewing your answers"),
    _("We check your answers against registers and lists. A reviewer looks at any open questions."),
    turn="Our team",
)
# `StepPlace` counts two steps: answering, and our review.
APPLICATION: dict[str, StatusRow] = {
    S.DRAFT: StatusRow(
        "neutral",
        BusinessText(_("Twelve sections in any order, then check and submit")),
        StaffText(_("With the business")),
        StepPlace(0),
    ),
    S.SUBMITTED: StatusRow(
        "accent", _IN_REVIEW, StaffText(_("Waiting for your decision")), StepPlace(1)
    ),
    S.RETURNED: StatusRow(
        "warning",
        BusinessText(_("Changes requested")),
        StaffText(_("With the business")),
        StepPlace(0, "problem"),
    ),
    S.HELD: StatusRow("warning", _IN_REVIEW, StaffText(_("On hold")), StepPlace(1)),
    S.CLEARED: StatusRow(
        "ok",
        BusinessText(
            _("We have accepted your answers"),
            _("The next step is your agreement pack."),
            turn=_("Our team, which prepares the agreements"),
            detail=_("Accepted"),
        ),
        StaffText(_("Cleared to contract")),
        StepPlace(2, "done"),
    ),
    S.EXECUTED: StatusRow(
        "ok",
        BusinessText(
            _("Your agreements are executed"),
            _("We prepared your agreements from these answers."),
            turn=_("Nobody"),
            detail=_("Accepted"),
        ),
        StaffText(_("Executed")),
        StepPlace(2, "done"),
    ),
    S.DECLINED: StatusRow(
        "danger",
        BusinessText(
            _("We cannot continue"),
            _(
                "We cannot continue with this application (code REVIEW_DECLINED). "
                "If you have questions, write to us."
            ),
            turn=_("Nobody"),
            detail=_("We cannot continue. If you have questions, write to us."),
        ),
        StaffText(_("Declined")),
        StepPlace(1, "problem"),
    ),
    S.WITHDRAWN: StatusRow(
        "quiet",
        BusinessText(
            _("Withdrawn"),
            _("This application is withdrawn. Your answers are saved."),
            turn=_("Nobody"),
        ),
        StaffText(_("Withdrawn")),
        StepPlace(0, "todo"),
    ),
    S.EXPIRED: StatusRow(
        "quiet",
        BusinessText(
            _("Closed"),
            _("We closed this application because nobody changed it for 90 days."),
            turn=_("Nobody"),
            detail=_("Expired"),
        ),
        StaffText(_("Expired")),
        StepPlace(0, "todo"),
    ),
}

CHECK: dict[str, StatusRow] = {
    CheckStatus.PENDING: StatusRow("neutral"),
    CheckStatus.RUNNING: StatusRow("accent"),
    CheckStatus.PASSED: StatusRow("ok"),
    CheckStatus.FAILED: StatusRow("danger"),
    CheckStatus.NEEDS_REVIEW: StatusRow("warning"),
    CheckStatus.ERRORED: StatusRow("warning"),
    CheckStatus.WAIVED: StatusRow("ok"),
    CheckStatus.EXPIRED: StatusRow("warning"),
}

TIER_NAMES = {
    Tier.LOW: gettext_lazy("Low"),
    Tier.MEDIUM: gettext_lazy("Medium"),
    Tier.HIGH: gettext_lazy("High"),
    Tier.PROHIBITED: gettext_lazy("Prohibited"),
}
