"""Statuses of applications and checks, their allowed changes, and what reviewers may do."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.core.lifecycle import Lifecycle


class ApplicationStatus(models.TextChoices):
    """The status of an application."""

    DRAFT = "draft", _("Draft")
    SUBMITTED = "submitted", _("In review")
    RETURNED = "returned", _("Changes requested")
    HELD = "held", _("On hold")
    CLEARED = "cleared", _("Cleared to contract")
    EXECUTED = "executed", _("Executed")
    DECLINED = "declined", _("Declined")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    EXPIRED = "expired", _("Expired")


LIFECYCLE = Lifecycle(
    {
        ApplicationStatus.DRAFT: [
            ApplicationStatus.SUBMITTED,
            ApplicationStatus.WITHDRAWN,
            ApplicationStatus.EXPIRED,
        ],
        ApplicationStatus.SUBMITTED: [
            ApplicationStatus.RETURNED,
            ApplicationStatus.HELD,
            ApplicationStatus.CLEARED,
            ApplicationStatus.DECLINED,
            ApplicationStatus.WITHDRAWN,
        ],
        ApplicationStatus.RETURNED: [
            ApplicationStatus.SUBMITTED,
            ApplicationStatus.WITHDRAWN,
            ApplicationStatus.EXPIRED,
        ],
        ApplicationStatus.HELD: [ApplicationStatus.SUBMITTED, ApplicationStatus.DECLINED],
        ApplicationStatus.CLEARED: [
            ApplicationStatus.RETURNED,
            ApplicationStatus.HELD,
            ApplicationStatus.EXECUTED,
            ApplicationStatus.DECLINED,
            ApplicationStatus.WITHDRAWN,
        ],
        ApplicationStatus.EXECUTED: [],
        ApplicationStatus.DECLINED: [],
        ApplicationStatus.WITHDRAWN: [],
        ApplicationStatus.EXPIRED: [],
    }
)
# WRITABLE: the business can edit it. OPEN: a business may have only one of these.
WRITABLE = (ApplicationStatus.DRAFT, ApplicationStatus.RETURNED)
OPEN = (
    ApplicationStatus.DRAFT,
    ApplicationStatus.SUBMITTED,
    ApplicationStatus.RETURNED,
    ApplicationStatus.HELD,
    ApplicationStatus.CLEARED,
)
IN_REVIEW = (ApplicationStatus.SUBMITTED, ApplicationStatus.HELD)
ACCEPTED = (ApplicationStatus.CLEARED, ApplicationStatus.EXECUTED)
# Those whose checks count.
CHECKED = (*IN_REVIEW, *ACCEPTED)


class CheckStatus(models.TextChoices):
    """The status of a verification check."""

    PENDING = "pending", _("Not yet run")
    RUNNING = "running", _("Running")
    PASSED = "passed", _("Passed")
    FAILED = "failed", _("Failed")
    NEEDS_REVIEW = "needs_review", _("Needs review")
    ERRORED = "errored", _("Could not be run")
    WAIVED = "waived", _("Waived")
    EXPIRED = "expired", _("Expired")


CHECK_LIFECYCLE = Lifecycle(
    {
        CheckStatus.PENDING: [CheckStatus.RUNNING, CheckStatus.WAIVED],
        CheckStatus.RUNNING: [
            CheckStatus.PASSED,
            CheckStatus.FAILED,
            CheckStatus.NEEDS_REVIEW,
            CheckStatus.ERRORED,
        ],
        CheckStatus.ERRORED: [CheckStatus.RUNNING],
        CheckStatus.NEEDS_REVIEW: [CheckStatus.PASSED, CheckStatus.FAILED],
        CheckStatus.FAILED: [CheckStatus.RUNNING, CheckStatus.WAIVED],
        CheckStatus.PASSED: [CheckStatus.EXPIRED, CheckStatus.RUNNING],
        CheckStatus.EXPIRED: [CheckStatus.RUNNING],
        CheckStatus.WAIVED: [CheckStatus.EXPIRED],
    }
)
SETTLED = (CheckStatus.PASSED, CheckStatus.WAIVED)
# Results from a provider or a reviewer.
RESULTS = (CheckStatus.PASSED, CheckStatus.FAILED, CheckStatus.NEEDS_REVIEW)


class Capacity(models.TextChoices):
    """The capacity in which a staff member decides on a case: one per person and case."""

    COMPLIANCE = "compliance", _("Compliance")
    COMMERCIAL = "commercial", _("Commercial")
    LEGAL = "legal", _("Legal")
    COUNTERSIGNATORY = "countersignatory", _("Countersignatory")
    ACCOUNT_MANAGER = "account_manager", _("Account manager")


class ActKind(models.TextChoices):
    """What a staff member does to a case, as its reviewer."""

    CLEAR = "clear", _("Cleared to contract")
    HOLD = "hold", _("Put on hold")
    RELEASE = "release", _("Continued the review")
    RETURN = "return", _("Returned for changes")
    DECLINE = "decline", _("Declined")
    DECIDE_CHECK = "decide_check", _("Decided a check")
    RUN_CHECK_AGAIN = "run_check_again", _("Asked for a check to be run again")
    PROPOSE_WAIVER = "propose_waiver", _("Proposed to waive a check")
    CONFIRM_WAIVER = "confirm_waiver", _("Waived a check")
    REFUSE_WAIVER = "refuse_waiver", _("Refused to waive a check")
    ACCEPT_AUTHORITY = "accept_authority", _("Accepted the authority to sign")
    REFUSE_AUTHORITY = "refuse_authority", _("Refused the authority to sign")
    APPROVE = "approve", _("Approved")
    SEND_BACK = "send_back", _("Sent back")
    COUNTERSIGN = "countersign", _("Countersigned")
    PROPOSE_LIVE = "propose_live", _("Proposed to go live")
    APPROVE_LIVE = "approve_live", _("Approved to go live")
    DECLINE_LIVE = "decline_live", _("Declined to go live")


# Acts whose note the business reads.
TO_THE_BUSINESS = frozenset(
    {
        ActKind.RETURN,
        ActKind.SEND_BACK,
        ActKind.APPROVE_LIVE,
        ActKind.DECLINE_LIVE,
        ActKind.REFUSE_AUTHORITY,
    }
)
_DECIDES = frozenset({ActKind.APPROVE, ActKind.SEND_BACK})
_OF_LEGAL = frozenset({ActKind.ACCEPT_AUTHORITY, ActKind.REFUSE_AUTHORITY})
_OTHERS = frozenset({ActKind.COUNTERSIGN, ActKind.PROPOSE_LIVE, *_OF_LEGAL})
# The acts of each capacity; the database has the same table.
ACTS = {
    Capacity.COMPLIANCE: frozenset(ActKind) - _OTHERS,
    Capacity.COMMERCIAL: _DECIDES,
    Capacity.LEGAL: _DECIDES | _OF_LEGAL,
    Capacity.COUNTERSIGNATORY: frozenset({ActKind.COUNTERSIGN}),
    Capacity.ACCOUNT_MANAGER: frozenset({ActKind.PROPOSE_LIVE}),
}
