"""Statuses of packs and their documents, and the allowed transitions."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from console.core.lifecycle import Lifecycle
from onboarding.lifecycle import Capacity


class PackStatus(models.TextChoices):
    """Status of a pack."""

    GENERATING = "generating", _("Being prepared")
    QUARANTINED = "quarantined", _("Preparation stopped")
    GENERATED = "generated", _("Prepared")
    IN_REVIEW = "in_review", _("To be read")
    READY_TO_SIGN = "ready_to_sign", _("Ready to sign")
    PARTLY_SIGNED = "partly_signed", _("Partly signed")
    SIGNED = "signed", _("Signed")
    IN_APPROVAL = "in_approval", _("With our approvers")
    RETURNED = "returned", _("Changes requested")
    REJECTED = "rejected", _("Refused")
    STALE = "stale", _("Out of date")
    APPROVED = "approved", _("Approved")
    COUNTERSIGNING = "countersigning", _("Being sealed")
    SEAL_FAILED = "seal_failed", _("Sealing stopped")
    EXECUTED = "executed", _("Executed")
    WITHDRAWN = "withdrawn", _("Withdrawn")
    EXPIRED = "expired", _("Expired")


S = PackStatus
LIFECYCLE = Lifecycle(
    {
        S.GENERATING: [S.GENERATED, S.QUARANTINED, S.WITHDRAWN, S.STALE],
        S.QUARANTINED: [S.GENERATING, S.WITHDRAWN, S.STALE],
        S.GENERATED: [S.IN_REVIEW, S.WITHDRAWN, S.STALE],
        S.IN_REVIEW: [S.READY_TO_SIGN, S.EXPIRED, S.WITHDRAWN, S.STALE],
        # Back to reading when someone withdraws an acceptance before the first signature.
        S.READY_TO_SIGN: [
            S.IN_REVIEW,
            S.PARTLY_SIGNED,
            S.SIGNED,
            S.EXPIRED,
            S.WITHDRAWN,
            S.STALE,
        ],
        S.PARTLY_SIGNED: [S.SIGNED, S.EXPIRED, S.WITHDRAWN, S.STALE],
        S.SIGNED: [S.IN_APPROVAL, S.WITHDRAWN, S.STALE],
        S.IN_APPROVAL: [S.APPROVED, S.RETURNED, S.REJECTED, S.WITHDRAWN, S.STALE],
        S.RETURNED: [S.GENERATING, S.WITHDRAWN],
        S.STALE: [S.GENERATING, S.WITHDRAWN],
        S.APPROVED: [S.COUNTERSIGNING, S.WITHDRAWN, S.STALE],
        S.COUNTERSIGNING: [S.EXECUTED, S.SEAL_FAILED],
        S.SEAL_FAILED: [S.COUNTERSIGNING],
        S.EXECUTED: [],
        S.REJECTED: [],
        S.WITHDRAWN: [],
        S.EXPIRED: [],
    }
)
# Automatic retries are used up; an operator must retry.
STOPPED = (S.QUARANTINED, S.SEAL_FAILED)
# A worker renders or seals it.
WITH_A_WORKER = (S.GENERATING, S.COUNTERSIGNING)
# Waits for an approval, a countersignature or an operator.
WITH_STAFF = (S.IN_APPROVAL, S.APPROVED, *STOPPED)
# Nobody has signed yet, so an acceptance can be taken back.
UNSIGNED = (S.IN_REVIEW, S.READY_TO_SIGN)
# The business can still read, accept and sign.
OFFERED = (*UNSIGNED, S.PARTLY_SIGNED)
# Ended without an agreement; the application can get a new pack.
ABANDONED = (S.WITHDRAWN, S.EXPIRED, S.REJECTED)
# Needs a new revision of the same pack.
OUTDATED = (S.RETURNED, S.STALE)
# The contract is formed, or about to be: the pack can no longer be withdrawn.
BEYOND_RECALL = (S.COUNTERSIGNING, S.SEAL_FAILED, S.EXECUTED)
# Fully approved or, for STANDS_SIGNED, signed by the business, and not sent back since.
STANDS_APPROVED = (S.APPROVED, *BEYOND_RECALL)
STANDS_SIGNED = (S.SIGNED, S.IN_APPROVAL, *STANDS_APPROVED)


class DocumentStatus(models.TextChoices):
    """Status of a document in a pack."""

    RENDERING = "rendering", _("Being prepared")
    RENDERED = "rendered", _("Prepared")
    OFFERED = "offered", _("To be read")
    ACCEPTED = "accepted", _("Accepted")
    SIGNED = "signed", _("Signed")
    IN_FORCE = "in_force", _("Executed")
    DROPPED = "dropped", _("Replaced")


D = DocumentStatus
DOCUMENT_LIFECYCLE = Lifecycle(
    {
        D.RENDERING: [D.RENDERED, D.DROPPED],
        D.RENDERED: [D.OFFERED, D.DROPPED],
        D.OFFERED: [D.ACCEPTED, D.DROPPED],
        D.ACCEPTED: [D.OFFERED, D.SIGNED, D.DROPPED],
        D.SIGNED: [D.IN_FORCE, D.DROPPED],
        D.IN_FORCE: [],
        D.DROPPED: [],
    }
)


# Capacity in which a staff member decides on a signed pack; the same as on its case.
DecisionRole = Capacity


class DecisionKind(models.TextChoices):
    """Kind of decision."""

    APPROVED = "approved", _("Approved")
    RETURNED = "returned", _("Changes requested")
    COUNTERSIGNED = "countersigned", _("Countersigned")
