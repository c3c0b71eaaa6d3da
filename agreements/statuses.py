"""How each status of a pack and of its documents is displayed."""

from dataclasses import replace

from django.utils.translation import gettext_noop as _

from agreements.lifecycle import DocumentStatus, PackStatus
from console.core.status_table import BusinessText, StaffText, StatusRow, StepPlace

S = PackStatus
_NOT_IN_THE_STEPS = StepPlace(0, "todo")
_PREPARING = BusinessText(
    _("We are preparing your documents"),
    _(
        "We prepare each document from your answers. It takes about a minute, and you "
        "can leave this page."
    ),
    _("Being prepared"),
)
# Also used for failed sealing: we must fix that, and the agreement is already binding.
_SEALING = BusinessText(
    _("We have countersigned"),
    _(
        "We are sealing your documents. It takes about a minute, and you do not need "
        "to do anything."
    ),
    _("Being sealed"),
)
_WITH_BUSINESS = StaffText(_("The business"))
_WITH_NOBODY = StaffText(_("Nobody"))
_RUN_AGAIN = _("See the cause under Agreement pack, then retry.")
# StepPlace counts completed steps of five: prepared, read, signed, approved, sealed.
PACK: dict[str, StatusRow] = {
    S.GENERATING: StatusRow("accent", _PREPARING, StaffText("A worker"), StepPlace(0)),
    S.QUARANTINED: StatusRow(
        "danger",
        BusinessText(
            _("We cannot prepare your documents yet"),
            _(
                "The preparation stopped, and we are looking into it. We will e-mail you when "
                "the documents are ready, or when you need to change an answer."
            ),
            _("Delayed"),
            "warning",
        ),
        StaffText(
            _("Operator, Compliance"),
            _(
                "See the cause under Agreement pack. An operator can retry. If an answer is "
                "the cause, compliance returns the application and says which answer to change."
            ),
        ),
        StepPlace(0),
    ),
    S.GENERATED: StatusRow("accent", _PREPARING, _WITH_NOBODY, StepPlace(0)),
    S.IN_REVIEW: StatusRow(
        "accent",
        BusinessText(
            _("Read your documents"),
            _("Read and accept each document. You then sign them all at once."),
            _("To be read"),
            happened=_("Your documents were ready to read"),
            icon="file-text",
        ),
        _WITH_BUSINESS,
        StepPlace(1),
    ),
    S.READY_TO_SIGN: StatusRow(
        "accent",
        BusinessText(
            _("Ready to sign"),
            _("You have accepted every document. One signature signs them all."),
            _("Ready to sign"),
            happened=_("Every document was accepted"),
            icon="list-checks",
        ),
        _WITH_BUSINESS,
        StepPlace(2),
    ),
    S.PARTLY_SIGNED: StatusRow(
        "accent",
        BusinessText(_("Partly signed"), _("Another person must also sign."), _("Partly signed")),
        _WITH_BUSINESS,
        StepPlace(2),
    ),
    S.SIGNED: StatusRow(
        "accent",
        BusinessText(_("Signed"), _("We are sending your pack to our approvers."), _("Signed")),
        _WITH_NOBODY,
        StepPlace(3),
    ),
    S.IN_APPROVAL: StatusRow(
        "accent",
        BusinessText(
            _("Signed, and with our approvers"),
            _(
                "Compliance, commercial and legal each review what you signed. You do not need "
                "to do anything."
            ),
            _("With our approvers"),
            happened=_("The pack went to our approvers"),
            icon="users",
        ),
        StaffText(
            _("Our approvers"),
            _("You decide on exactly what was signed. Each person can decide only once on a pack."),
        ),
        StepPlace(3),
    ),
    S.RETURNED: StatusRow(
        "warning",
        BusinessText(
            _("We asked for changes"),
            _(
                "Change your answers and submit them again. We then prepare a new version for "
                "you to sign."
            ),
            _("Changes requested"),
            "warning",
            happened=_("We asked for changes"),
            icon="message-square",
        ),
        _WITH_BUSINESS,
        StepPlace(0, "problem"),
    ),
    S.REJECTED: StatusRow(
        "danger",
        BusinessText(
            _("We cannot continue"),
            _("We cannot enter into this agreement."),
            _("Refused"),
            "danger",
            happened=_("We refused the agreement"),
            icon="octagon-x",
        ),
        _WITH_NOBODY,
        _NOT_IN_THE_STEPS,
    ),
    S.STALE: StatusRow(
        "warning",
        BusinessText(
            _("These documents are out of date"),
            _(
                "We prepared them from earlier answers. When we accept your new answers, we "
                "prepare a new version for you to sign."
            ),
            _("Out of date"),
            "warning",
            happened=_("The documents became out of date"),
            icon="history",
        ),
        _WITH_BUSINESS,
        StepPlace(0, "problem"),
    ),
    S.APPROVED: StatusRow(
        "ok",
        BusinessText(
            _("Approved"),
            _("We have given all approvals. Our countersignature is next."),
            _("Approved"),
            "ok",
            happened=_("All our approvals were given"),
            icon="circle-check",
        ),
        StaffText(
            _("Countersignatory"),
            _("Your countersignature makes the agreement binding. We then seal every document."),
        ),
        StepPlace(4),
    ),
    S.COUNTERSIGNING: StatusRow(
        "accent",
        replace(_SEALING, happened=_("We countersigned"), icon="stamp"),
        StaffText("A worker"),
        StepPlace(4),
    ),
    S.SEAL_FAILED: StatusRow(
        "danger", _SEALING, StaffText(_("Operator"), _RUN_AGAIN), StepPlace(4)
    ),
    S.EXECUTED: StatusRow(
        "ok",
        BusinessText(
            _("Executed"),
            _(
                "Both sides have signed, and we have sealed every document. Save the sealed "
                "copies: anyone can check them."
            ),
            _("Executed"),
            "ok",
            happened=_("The pack was sealed: it is executed"),
            icon="shield-check",
        ),
        _WITH_NOBODY,
        StepPlace(5, "done"),
    ),
    S.WITHDRAWN: StatusRow(
        "neutral",
        BusinessText(
            _("Withdrawn"),
            _("This pack was withdrawn."),
            _("Withdrawn"),
            "neutral",
            happened=_("The pack was withdrawn"),
            icon="undo-2",
        ),
        _WITH_NOBODY,
        _NOT_IN_THE_STEPS,
    ),
    S.EXPIRED: StatusRow(
        "neutral",
        BusinessText(
            _("The offer has expired"),
            _("Nobody signed in time. Write to us for a new offer."),
            _("Expired"),
            "neutral",
            happened=_("The offer expired"),
            icon="timer-off",
        ),
        _WITH_NOBODY,
        _NOT_IN_THE_STEPS,
    ),
}

D = DocumentStatus
# The page shows who accepted a document in place of this title.
DOCUMENT: dict[str, StatusRow] = {
    D.RENDERING: StatusRow("accent", BusinessText(_("Being prepared"))),
    D.RENDERED: StatusRow("neutral", BusinessText(_("Prepared"))),
    D.OFFERED: StatusRow("neutral", BusinessText(_("To be read"))),
    D.ACCEPTED: StatusRow("ok", BusinessText(_("To be read"))),
    D.SIGNED: StatusRow("ok", BusinessText(_("Signed"))),
    D.IN_FORCE: StatusRow("ok", BusinessText(_("Executed"))),
    D.DROPPED: StatusRow("neutral", BusinessText(_("Replaced"))),
}
