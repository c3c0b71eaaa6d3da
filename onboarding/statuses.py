"""How an application and a check are shown, status by status."""

from console.core.status_table import BusinessText, StaffText, StatusRow, StepPlace
from onboarding.lifecycle import ApplicationStatus, CheckStatus
from onboarding.restrictions.refusing import CONTACT

S = ApplicationStatus
# The same for a hold, which the business is not told.
_IN_REVIEW = BusinessText(
    "We are reviewing your answers",
    "We check your answers with registers and lists. Where that leaves a question, a person looks.",
    turn="Ours",
)
# Of two steps: answering, and our review.
APPLICATION: dict[str, StatusRow] = {
    S.DRAFT: StatusRow(
        "neutral",
        BusinessText("Twelve sections, in any order"),
        StaffText("With the business"),
        StepPlace(0),
    ),
    S.SUBMITTED: StatusRow(
        "accent", _IN_REVIEW, StaffText("Waits for your decision"), StepPlace(1)
    ),
    S.RETURNED: StatusRow(
        "warning",
        BusinessText("Changes are asked for"),
        StaffText("With the business"),
        StepPlace(0, "problem"),
    ),
    S.HELD: StatusRow("warning", _IN_REVIEW, StaffText("On hold"), StepPlace(1)),
    S.CLEARED: StatusRow(
        "ok",
        BusinessText(
            "Your answers are accepted",
            "The next step is your agreement pack.",
            turn="It goes on with the agreements",
            detail="Accepted",
        ),
        StaffText("Cleared to contract"),
        StepPlace(2, "done"),
    ),
    S.EXECUTED: StatusRow(
        "ok",
        BusinessText(
            "Your access is agreed",
            "Your agreements are executed. These are the answers that they were made from.",
            turn="Nobody's",
            detail="Accepted",
        ),
        StaffText("Executed"),
        StepPlace(2, "done"),
    ),
    S.DECLINED: StatusRow(
        "danger",
        BusinessText(
            "We cannot continue",
            "We cannot continue with this application (code REVIEW_DECLINED). "
            f"If you have questions, write to {CONTACT}.",
            turn="Nobody's",
            detail=f"We cannot continue. Questions? Write to {CONTACT}.",
        ),
        StaffText("Declined"),
        StepPlace(1, "problem"),
    ),
    S.WITHDRAWN: StatusRow(
        "quiet",
        BusinessText(
            "Withdrawn",
            "This application was taken back. The answers are kept.",
            turn="Nobody's",
        ),
        StaffText("Withdrawn"),
        StepPlace(0, "todo"),
    ),
    S.EXPIRED: StatusRow(
        "quiet",
        BusinessText(
            "Closed",
            "Nobody worked on this application for 90 days, so it was closed.",
            turn="Nobody's",
            detail="Expired",
        ),
        StaffText("Expired"),
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
