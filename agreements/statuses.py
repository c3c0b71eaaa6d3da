"""How a pack and its documents are shown, status by status."""

from dataclasses import replace

from agreements.lifecycle import DocumentStatus, PackStatus
from console.core.status_table import BusinessText, StaffText, StatusRow, StepPlace

S = PackStatus
_NOT_IN_THE_STEPS = StepPlace(0, "todo")
_PREPARING = BusinessText(
    "Your documents are being prepared",
    "We prepare each one from your answers. It takes about a minute, and you may leave this page.",
    "Being prepared",
)
# A failed sealing is ours to put right, and the agreement stands already.
_SEALING = BusinessText(
    "We have countersigned",
    "Your documents are being sealed. It takes about a minute, and you need do nothing.",
    "Being sealed",
)
_WITH_BUSINESS = StaffText("The business")
_WITH_NOBODY = StaffText("Nobody")
_RUN_AGAIN = "Look at the cause under Agreement pack, then let it run again."
# Of five steps: prepared, read, signed, approved, sealed.
PACK: dict[str, StatusRow] = {
    S.GENERATING: StatusRow("accent", _PREPARING, StaffText("A worker"), StepPlace(0)),
    S.QUARANTINED: StatusRow(
        "danger",
        BusinessText(
            "Your documents cannot be prepared yet",
            "The preparation stopped, and our people look into it. Either we put it right and go "
            "on, or we send your answers back and say which one to change. We write to you in both "
            "cases.",
            "Delayed",
            "warning",
        ),
        StaffText(
            "Operator, Compliance",
            "Look at the cause under Agreement pack. An operator lets it run again; where an "
            "answer is the cause, compliance returns it for changes and says which.",
        ),
        StepPlace(0),
    ),
    S.GENERATED: StatusRow("accent", _PREPARING, _WITH_NOBODY, StepPlace(0)),
    S.IN_REVIEW: StatusRow(
        "accent",
        BusinessText(
            "Read your documents",
            "Read each one and accept it. One signature under all of them follows at the end.",
            "To be read",
            happened="Your documents were ready to read",
            icon="file-text",
        ),
        _WITH_BUSINESS,
        StepPlace(1),
    ),
    S.READY_TO_SIGN: StatusRow(
        "accent",
        BusinessText(
            "Ready to sign",
            "Every document is accepted. One signature signs them all.",
            "Ready to sign",
            happened="Every document was accepted",
            icon="list-checks",
        ),
        _WITH_BUSINESS,
        StepPlace(2),
    ),
    S.PARTLY_SIGNED: StatusRow(
        "accent",
        BusinessText("Partly signed", "Another signature is needed.", "Partly signed"),
        _WITH_BUSINESS,
        StepPlace(2),
    ),
    S.SIGNED: StatusRow(
        "accent",
        BusinessText("Signed", "Your pack is on its way to our approvers.", "Signed"),
        _WITH_NOBODY,
        StepPlace(3),
    ),
    S.IN_APPROVAL: StatusRow(
        "accent",
        BusinessText(
            "Signed, and with our approvers",
            "Compliance, commercial and legal each look at what you signed. You need do nothing.",
            "With our approvers",
            happened="The pack went to our approvers",
            icon="users",
        ),
        StaffText(
            "Our approvers",
            "You decide on exactly what was signed. One person decides once on a pack.",
        ),
        StepPlace(3),
    ),
    S.RETURNED: StatusRow(
        "warning",
        BusinessText(
            "We asked for changes",
            "Change your answers and submit them again. We then prepare a new version, to sign "
            "anew.",
            "Changes requested",
            "warning",
            happened="We asked for changes",
            icon="message-square",
        ),
        _WITH_BUSINESS,
        StepPlace(0, "problem"),
    ),
    S.REJECTED: StatusRow(
        "danger",
        BusinessText(
            "We cannot continue",
            "We cannot enter into this agreement.",
            "Refused",
            "danger",
            happened="We refused the agreement",
            icon="octagon-x",
        ),
        _WITH_NOBODY,
        _NOT_IN_THE_STEPS,
    ),
    S.STALE: StatusRow(
        "warning",
        BusinessText(
            "These documents are out of date",
            "They were made from earlier answers. Once we accept your new ones, we prepare a new "
            "version to sign.",
            "Out of date",
            "warning",
            happened="The documents went out of date",
            icon="history",
        ),
        _WITH_BUSINESS,
        StepPlace(0, "problem"),
    ),
    S.APPROVED: StatusRow(
        "ok",
        BusinessText(
            "Approved",
            "All our approvals are given. Our countersignature is next.",
            "Approved",
            "ok",
            happened="All our approvals were given",
            icon="circle-check",
        ),
        StaffText(
            "Countersignatory",
            "From your press the agreement stands. A worker then seals every document.",
        ),
        StepPlace(4),
    ),
    S.COUNTERSIGNING: StatusRow(
        "accent",
        replace(_SEALING, happened="We countersigned", icon="stamp"),
        StaffText("A worker"),
        StepPlace(4),
    ),
    S.SEAL_FAILED: StatusRow("danger", _SEALING, StaffText("Operator", _RUN_AGAIN), StepPlace(4)),
    S.EXECUTED: StatusRow(
        "ok",
        BusinessText(
            "Executed",
            "Both sides have signed, and every document is sealed. Keep the sealed copies: anyone "
            "can check them.",
            "Executed",
            "ok",
            happened="The pack was sealed: it is executed",
            icon="shield-check",
        ),
        _WITH_NOBODY,
        StepPlace(5, "done"),
    ),
    S.WITHDRAWN: StatusRow(
        "neutral",
        BusinessText(
            "Withdrawn",
            "This pack was taken back.",
            "Withdrawn",
            "neutral",
            happened="The pack was withdrawn",
            icon="undo-2",
        ),
        _WITH_NOBODY,
        _NOT_IN_THE_STEPS,
    ),
    S.EXPIRED: StatusRow(
        "neutral",
        BusinessText(
            "The offer has run out",
            "Nobody signed in time. Write to us, and we make a new offer.",
            "Expired",
            "neutral",
            happened="The offer ran out",
            icon="timer-off",
        ),
        _WITH_NOBODY,
        _NOT_IN_THE_STEPS,
    ),
}

D = DocumentStatus
# Who accepted a document is told in the place of its title.
DOCUMENT: dict[str, StatusRow] = {
    D.RENDERING: StatusRow("accent", BusinessText("Being prepared")),
    D.RENDERED: StatusRow("neutral", BusinessText("Prepared")),
    D.OFFERED: StatusRow("neutral", BusinessText("To be read")),
    D.ACCEPTED: StatusRow("ok", BusinessText("To be read")),
    D.SIGNED: StatusRow("ok", BusinessText("Signed")),
    D.IN_FORCE: StatusRow("ok", BusinessText("Executed")),
    D.DROPPED: StatusRow("neutral", BusinessText("Replaced")),
}
