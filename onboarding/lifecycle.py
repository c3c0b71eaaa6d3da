"""Statuses of an application and of a check, the allowed moves, who holds the pen, who decides."""

from django.db import models

from console.core.lifecycle import Lifecycle


class Status(models.TextChoices):
    """Where an application stands."""

    DRAFT = "draft", "Draft"
    SUBMITTED = "submitted", "In review"
    RETURNED = "returned", "Changes requested"
    HELD = "held", "On hold"
    CLEARED = "cleared", "Cleared to contract"
    EXECUTED = "executed", "Executed"
    DECLINED = "declined", "Declined"
    WITHDRAWN = "withdrawn", "Withdrawn"
    EXPIRED = "expired", "Expired"


class Pen(models.TextChoices):
    """Who has to do something next."""

    BUSINESS = "business", "The business"
    REVIEWERS = "reviewers", "The reviewers"
    CONTRACT = "contract", "Whoever the agreement pack waits for"
    NOBODY = "nobody", "Nobody"


LIFECYCLE = Lifecycle(
    {
        Status.DRAFT: [Status.SUBMITTED, Status.WITHDRAWN, Status.EXPIRED],
        Status.SUBMITTED: [
            Status.RETURNED,
            Status.HELD,
            Status.CLEARED,
            Status.DECLINED,
            Status.WITHDRAWN,
        ],
        Status.RETURNED: [Status.SUBMITTED, Status.WITHDRAWN, Status.EXPIRED],
        Status.HELD: [Status.SUBMITTED, Status.DECLINED],
        Status.CLEARED: [
            Status.RETURNED,
            Status.HELD,
            Status.EXECUTED,
            Status.DECLINED,
            Status.WITHDRAWN,
        ],
        Status.EXECUTED: [],
        Status.DECLINED: [],
        Status.WITHDRAWN: [],
        Status.EXPIRED: [],
    }
)
PEN = {
    Status.DRAFT: Pen.BUSINESS,
    Status.SUBMITTED: Pen.REVIEWERS,
    Status.RETURNED: Pen.BUSINESS,
    Status.HELD: Pen.REVIEWERS,
    Status.CLEARED: Pen.CONTRACT,
    Status.EXECUTED: Pen.NOBODY,
    Status.DECLINED: Pen.NOBODY,
    Status.WITHDRAWN: Pen.NOBODY,
    Status.EXPIRED: Pen.NOBODY,
}
TONES: dict[str, str] = {
    Status.DRAFT: "neutral",
    Status.SUBMITTED: "accent",
    Status.RETURNED: "warning",
    Status.HELD: "warning",
    Status.CLEARED: "ok",
    Status.EXECUTED: "ok",
    Status.DECLINED: "danger",
    Status.WITHDRAWN: "quiet",
    Status.EXPIRED: "quiet",
}
# The business may type while it holds the pen, and has one application that is not over.
WRITABLE = (Status.DRAFT, Status.RETURNED)
OPEN = (Status.DRAFT, Status.SUBMITTED, Status.RETURNED, Status.HELD, Status.CLEARED)
IN_REVIEW = (Status.SUBMITTED, Status.HELD)


class CheckStatus(models.TextChoices):
    """Where one verification check stands."""

    PENDING = "pending", "Not yet run"
    RUNNING = "running", "Running"
    PASSED = "passed", "Passed"
    FAILED = "failed", "Failed"
    NEEDS_REVIEW = "needs_review", "Needs a person"
    ERRORED = "errored", "Could not be run"
    WAIVED = "waived", "Waived"
    EXPIRED = "expired", "Expired"


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
CHECK_TONES: dict[str, str] = {
    CheckStatus.PENDING: "neutral",
    CheckStatus.RUNNING: "accent",
    CheckStatus.PASSED: "ok",
    CheckStatus.FAILED: "danger",
    CheckStatus.NEEDS_REVIEW: "warning",
    CheckStatus.ERRORED: "warning",
    CheckStatus.WAIVED: "ok",
    CheckStatus.EXPIRED: "warning",
}
SETTLED = (CheckStatus.PASSED, CheckStatus.WAIVED)


class Capacity(models.TextChoices):
    """In which capacity one of our people decides on a case: one for each person on each case."""

    COMPLIANCE = "compliance", "Compliance"
    COMMERCIAL = "commercial", "Commercial"
    LEGAL = "legal", "Legal"
    COUNTERSIGNATORY = "countersignatory", "Countersignatory"


class ActKind(models.TextChoices):
    """What one of our people does to a case, as its reviewer."""

    CLEAR = "clear", "Cleared to contract"
    HOLD = "hold", "Put on hold"
    RELEASE = "release", "Let the review go on"
    RETURN = "return", "Returned for changes"
    DECLINE = "decline", "Declined"
    DECIDE_CHECK = "decide_check", "Decided a check"
    RUN_CHECK_AGAIN = "run_check_again", "Asked for a check to be run again"
    APPROVE = "approve", "Approved"
    SEND_BACK = "send_back", "Sent back"
    COUNTERSIGN = "countersign", "Countersigned"
