"""Statuses of payments: allowed transitions, and how each is displayed."""

from django.db import models

from console.core.lifecycle import Lifecycle
from console.core.status_table import StatusRow


class DisbursementStatus(models.TextChoices):
    """Where the money is: reserved, paid or returned."""

    PENDING = "pending", "Pending"
    COMPLETED = "completed", "Completed"
    FAILED = "failed", "Failed"


DISBURSEMENT_LIFECYCLE = Lifecycle(
    {
        DisbursementStatus.PENDING: [DisbursementStatus.COMPLETED, DisbursementStatus.FAILED],
        DisbursementStatus.COMPLETED: [],
        DisbursementStatus.FAILED: [],
    }
)
DISBURSEMENT_STATUSES: dict[str, StatusRow] = {
    DisbursementStatus.PENDING: StatusRow("accent"),
    DisbursementStatus.COMPLETED: StatusRow("ok"),
    DisbursementStatus.FAILED: StatusRow("danger"),
}


class InstructionStatus(models.TextChoices):
    """What a provider has said about an instruction. Staff decide about a stuck one."""

    WAITING = "waiting", "Waiting for an answer"
    ACCEPTED = "accepted", "Accepted"
    STUCK = "stuck", "Stuck"
    COMPLETED = "completed", "Completed"
    FAILED = "failed", "Failed"


_ENDS = [InstructionStatus.COMPLETED, InstructionStatus.FAILED]
INSTRUCTION_LIFECYCLE = Lifecycle(
    {
        InstructionStatus.WAITING: [InstructionStatus.ACCEPTED, InstructionStatus.STUCK, *_ENDS],
        InstructionStatus.ACCEPTED: [InstructionStatus.STUCK, *_ENDS],
        InstructionStatus.STUCK: [InstructionStatus.WAITING, InstructionStatus.ACCEPTED, *_ENDS],
        InstructionStatus.COMPLETED: [],
        InstructionStatus.FAILED: [],
    }
)
INSTRUCTION_STATUSES: dict[str, StatusRow] = {
    InstructionStatus.WAITING: StatusRow("accent"),
    InstructionStatus.ACCEPTED: StatusRow("accent"),
    InstructionStatus.STUCK: StatusRow("warning"),
    InstructionStatus.COMPLETED: StatusRow("ok"),
    InstructionStatus.FAILED: StatusRow("danger"),
}


class ScreeningStatus(models.TextChoices):
    """What the comparison of a payment's parties with sanctions lists led to."""

    WAITING = "waiting", "Waiting to be compared"
    CLEAR = "clear", "No match"
    MATCHED = "matched", "Possible match"
    PROPOSED = "proposed", "Needs a second person"
    CLEARED = "cleared", "Not the same"
    BLOCKED = "blocked", "Blocked"
    RETURNED = "returned", "Blocked, money returned"


SCREENING_LIFECYCLE = Lifecycle(
    {
        ScreeningStatus.WAITING: [ScreeningStatus.CLEAR, ScreeningStatus.MATCHED],
        ScreeningStatus.CLEAR: [],
        ScreeningStatus.MATCHED: [ScreeningStatus.CLEARED, ScreeningStatus.PROPOSED],
        # A second person who refuses the proposal leaves the match open.
        ScreeningStatus.PROPOSED: [ScreeningStatus.MATCHED, ScreeningStatus.BLOCKED],
        ScreeningStatus.CLEARED: [],
        ScreeningStatus.BLOCKED: [ScreeningStatus.RETURNED],
        ScreeningStatus.RETURNED: [],
    }
)
# Those about which a reviewer must decide.
OPEN_SCREENING = (ScreeningStatus.MATCHED, ScreeningStatus.PROPOSED)
SCREENING_STATUSES: dict[str, StatusRow] = {
    ScreeningStatus.WAITING: StatusRow("accent"),
    ScreeningStatus.CLEAR: StatusRow("ok"),
    ScreeningStatus.MATCHED: StatusRow("warning"),
    ScreeningStatus.PROPOSED: StatusRow("warning"),
    ScreeningStatus.CLEARED: StatusRow("ok"),
    ScreeningStatus.BLOCKED: StatusRow("danger"),
    ScreeningStatus.RETURNED: StatusRow("quiet"),
}


class VirtualAccountStatus(models.TextChoices):
    """Whether it can receive money."""

    PENDING = "pending", "Pending"
    REQUIRES_ACTION = "requires_action", "Requires action"
    ACTIVE = "active", "Active"
    FROZEN = "frozen", "Frozen"
    CLOSED = "closed", "Closed"
    FAILED = "failed", "Failed"


class DepositStatus(models.TextChoices):
    """Where its money is: not yet spendable, in the balance, or back with the payer."""

    HELD = "held", "Held"
    SETTLED = "settled", "Settled"
    RETURNED = "returned", "Returned"
    REVERSED = "reversed", "Reversed"


VIRTUAL_ACCOUNT_LIFECYCLE = Lifecycle(
    {
        VirtualAccountStatus.PENDING: [
            VirtualAccountStatus.ACTIVE,
            VirtualAccountStatus.REQUIRES_ACTION,
            VirtualAccountStatus.FAILED,
            VirtualAccountStatus.CLOSED,
        ],
        VirtualAccountStatus.REQUIRES_ACTION: [
            VirtualAccountStatus.PENDING,
            VirtualAccountStatus.FAILED,
            VirtualAccountStatus.CLOSED,
        ],
        VirtualAccountStatus.ACTIVE: [VirtualAccountStatus.FROZEN, VirtualAccountStatus.CLOSED],
        VirtualAccountStatus.FROZEN: [VirtualAccountStatus.ACTIVE, VirtualAccountStatus.CLOSED],
        VirtualAccountStatus.CLOSED: [],
        VirtualAccountStatus.FAILED: [],
    },
    # Temporary accounts start active.
    start=[VirtualAccountStatus.PENDING, VirtualAccountStatus.ACTIVE],
)
VIRTUAL_ACCOUNT_STATUSES: dict[str, StatusRow] = {
    VirtualAccountStatus.PENDING: StatusRow("accent"),
    VirtualAccountStatus.REQUIRES_ACTION: StatusRow("warning"),
    VirtualAccountStatus.ACTIVE: StatusRow("ok"),
    VirtualAccountStatus.FROZEN: StatusRow("warning"),
    VirtualAccountStatus.CLOSED: StatusRow("quiet"),
    VirtualAccountStatus.FAILED: StatusRow("danger"),
}
DEPOSIT_LIFECYCLE = Lifecycle(
    {
        DepositStatus.HELD: [
            DepositStatus.SETTLED,
            DepositStatus.RETURNED,
            DepositStatus.REVERSED,
        ],
        DepositStatus.SETTLED: [DepositStatus.REVERSED],
        DepositStatus.RETURNED: [],
        DepositStatus.REVERSED: [],
    },
    start=[DepositStatus.HELD, DepositStatus.SETTLED],
)
DEPOSIT_STATUSES: dict[str, StatusRow] = {
    DepositStatus.HELD: StatusRow("warning"),
    DepositStatus.SETTLED: StatusRow("ok"),
    DepositStatus.RETURNED: StatusRow("quiet"),
    DepositStatus.REVERSED: StatusRow("danger"),
}


class CheckoutStatus(models.TextChoices):
    """Whether the payer can still pay, and if not, how the session ended (specification 3)."""

    AWAITING_PAYMENT = "awaiting_payment", "Awaiting payment"
    PAID = "paid", "Paid"
    UNDERPAID = "underpaid", "Underpaid"
    EXPIRED = "expired", "Expired"
    CANCELLED = "cancelled", "Cancelled"


CHECKOUT_LIFECYCLE = Lifecycle(
    {
        CheckoutStatus.AWAITING_PAYMENT: [
            CheckoutStatus.PAID,
            CheckoutStatus.UNDERPAID,
            CheckoutStatus.EXPIRED,
            CheckoutStatus.CANCELLED,
        ],
        CheckoutStatus.PAID: [],
        CheckoutStatus.UNDERPAID: [],
        CheckoutStatus.EXPIRED: [],
        CheckoutStatus.CANCELLED: [],
    }
)
CHECKOUT_STATUSES: dict[str, StatusRow] = {
    CheckoutStatus.AWAITING_PAYMENT: StatusRow("accent"),
    CheckoutStatus.PAID: StatusRow("ok"),
    CheckoutStatus.UNDERPAID: StatusRow("warning"),
    CheckoutStatus.EXPIRED: StatusRow("quiet"),
    CheckoutStatus.CANCELLED: StatusRow("quiet"),
}


class CardStatus(models.TextChoices):
    """Whether it can pay. A physical card is inactive until its holder activates it."""

    ACTIVE = "active", "Active"
    INACTIVE = "inactive", "Inactive"
    FROZEN = "frozen", "Frozen"
    TERMINATED = "terminated", "Terminated"


CARD_LIFECYCLE = Lifecycle(
    {
        CardStatus.INACTIVE: [CardStatus.ACTIVE, CardStatus.TERMINATED],
        CardStatus.ACTIVE: [CardStatus.FROZEN, CardStatus.TERMINATED],
        CardStatus.FROZEN: [CardStatus.ACTIVE, CardStatus.TERMINATED],
        CardStatus.TERMINATED: [],
    },
    start=[CardStatus.ACTIVE, CardStatus.INACTIVE],
)
CARD_STATUSES: dict[str, StatusRow] = {
    CardStatus.ACTIVE: StatusRow("ok"),
    CardStatus.INACTIVE: StatusRow("neutral"),
    CardStatus.FROZEN: StatusRow("warning"),
    CardStatus.TERMINATED: StatusRow("quiet"),
}


class VerificationStatus(models.TextChoices):
    """Whether the result is available."""

    PENDING = "pending", "Pending"
    COMPLETED = "completed", "Completed"


class VerificationResult(models.TextChoices):
    """What the register answered. Only add values, because clients branch on them."""

    CONFIRMED = "confirmed", "Confirmed"
    MISMATCH = "mismatch", "Of somebody else"
    NOT_FOUND = "not_found", "Not found"


VERIFICATION_LIFECYCLE = Lifecycle(
    {
        VerificationStatus.PENDING: [VerificationStatus.COMPLETED],
        VerificationStatus.COMPLETED: [],
    }
)
VERIFICATION_STATUSES: dict[str, StatusRow] = {
    VerificationStatus.PENDING: StatusRow("accent"),
    VerificationStatus.COMPLETED: StatusRow("ok"),
}


class SubAccountStatus(models.TextChoices):
    """Progress of the holder's onboarding, and whether the account is in use."""

    PENDING = "pending", "Pending"
    ACTIVE = "active", "Active"
    REJECTED = "rejected", "Rejected"
    SUSPENDED = "suspended", "Suspended"
    CLOSED = "closed", "Closed"


SUB_ACCOUNT_LIFECYCLE = Lifecycle(
    {
        SubAccountStatus.PENDING: [
            SubAccountStatus.ACTIVE,
            SubAccountStatus.REJECTED,
            SubAccountStatus.CLOSED,
        ],
        SubAccountStatus.ACTIVE: [SubAccountStatus.SUSPENDED, SubAccountStatus.CLOSED],
        SubAccountStatus.REJECTED: [],
        SubAccountStatus.SUSPENDED: [SubAccountStatus.ACTIVE, SubAccountStatus.CLOSED],
        SubAccountStatus.CLOSED: [],
    }
)
ENDED_SUB_ACCOUNT = (SubAccountStatus.REJECTED, SubAccountStatus.CLOSED)
SUB_ACCOUNT_STATUSES: dict[str, StatusRow] = {
    SubAccountStatus.PENDING: StatusRow("accent"),
    SubAccountStatus.ACTIVE: StatusRow("ok"),
    SubAccountStatus.REJECTED: StatusRow("danger"),
    SubAccountStatus.SUSPENDED: StatusRow("warning"),
    SubAccountStatus.CLOSED: StatusRow("quiet"),
}
