"""What we ask providers to do in live, what they tell us, and where the two disagree."""

from django.db import models
from django.db.models import Q

from api.payments.lifecycle import INSTRUCTION_LIFECYCLE, InstructionStatus
from apikeys.lifecycle import Environment
from console.accounts.actors import MachineActor
from console.accounts.models import Business, User
from console.audit.recorded import Recorded
from console.core import ids
from console.core.frozen import SetOnce
from console.core.moves_constraint import MovesConstraint


class ProviderInstruction(models.Model):
    """One thing that we ask a provider to do. `public_id` is that of the object it is about.

    `body` is what we send, always the same. `path` is where. `ask_at` is when to ask next.
    `problem` says why the last attempt had no result, and `reason` why it failed.
    """

    public_id = models.CharField(max_length=40, unique=True)
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    environment = models.CharField(max_length=10, choices=Environment)
    provider = models.CharField(max_length=31)
    kind = models.CharField(max_length=30)
    body = models.JSONField()
    status = models.CharField(
        max_length=10, choices=InstructionStatus, default=InstructionStatus.WAITING
    )
    attempts = models.PositiveIntegerField(default=0)
    problem = models.CharField(max_length=300, blank=True)
    reason = models.CharField(max_length=40, blank=True)
    provider_reference = models.CharField(max_length=140, blank=True)
    # What it counts against the limits of its month.
    euro_cents = models.BigIntegerField(default=0, db_default=0)
    created_at = models.DateTimeField()
    ask_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["ask_at"], condition=Q(ask_at__isnull=False), name="instructions_to_ask"
            ),
            models.Index(
                fields=["created_at"],
                condition=Q(status=InstructionStatus.STUCK),
                name="instructions_stuck",
            ),
            models.Index(
                fields=["business", "environment", "ended_at"], name="instructions_of_a_day"
            ),
        ]
        constraints = [
            SetOnce(
                fields=[
                    "id",
                    "public_id",
                    "business",
                    "environment",
                    "provider",
                    "kind",
                    "body",
                    "euro_cents",
                    "created_at",
                    "provider_reference",
                    "ended_at",
                ],
                name="an_instruction_keeps_what_it_says",
            ),
            MovesConstraint(
                arrows=INSTRUCTION_LIFECYCLE.arrows(), name="instruction_moves_by_the_table"
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=InstructionStatus.values, environment__in=Environment.values
                ),
                name="instruction_status_is_known",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def path(self) -> str:
        """The provider's path of it."""
        return f"/{_PLACES.get(self.kind, 'instructions')}/{self.public_id}"

    @property
    def provider_actor(self) -> MachineActor:
        """Who acts where its provider's answers change something."""
        return MachineActor(f"Provider {self.provider}")

    @property
    def has_ended(self) -> bool:
        return self.status in (InstructionStatus.COMPLETED, InstructionStatus.FAILED)

    @property
    def is_held(self) -> bool:
        """Whether it was never sent, because its parties are being screened or are blocked."""
        return self.status == InstructionStatus.WAITING and self.ask_at is None

    @property
    def is_closed(self) -> bool:
        """Whether we no longer ask about it: it has ended, or staff decide."""
        return self.has_ended or self.status == InstructionStatus.STUCK


# Kinds that are not those of disbursements: to open a virtual account, to issue a card, and to
# change the status of either.
ACCOUNT, CARD, STATUS = "virtual_account", "card", "status"
_PLACES = {ACCOUNT: "accounts", CARD: "cards", STATUS: "changes"}


class ProviderEvent(models.Model):
    """An event that a provider sent, stored before it has an effect.

    `effect` is empty until it is handled; then it says what became of it.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("pev"))
    provider = models.CharField(max_length=31)
    event_id = models.CharField(max_length=140)
    object_id = models.CharField(max_length=140)
    type = models.CharField(max_length=40)
    sequence = models.BigIntegerField()
    data = models.JSONField()
    body_digest = models.BinaryField(max_length=32)
    occurred_at = models.DateTimeField()
    received_at = models.DateTimeField()
    handled_at = models.DateTimeField(null=True)
    effect = models.CharField(max_length=20, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "event_id"], name="an_event_of_a_provider_counts_once"
            ),
            SetOnce(
                fields=[
                    "id",
                    "public_id",
                    "provider",
                    "event_id",
                    "object_id",
                    "type",
                    "sequence",
                    "data",
                    "body_digest",
                    "occurred_at",
                    "received_at",
                    "handled_at",
                    "effect",
                ],
                name="a_provider_event_keeps_what_it_says",
            ),
        ]

    def __str__(self) -> str:
        return self.event_id


class BreakKind(models.TextChoices):
    """How a provider and our ledger disagree."""

    CONTRADICTION = "contradiction", "The provider changed its answer"
    NOT_BOOKED = "not_booked", "Money that we could not book"
    MISSING_HERE = "missing_here", "Only in the statement"
    MISSING_THERE = "missing_there", "Only in our ledger"
    OTHER_AMOUNT = "other_amount", "Another amount"
    OTHER_BALANCE = "other_balance", "Another balance"


class ProviderBreak(models.Model):
    """A difference between a provider and our ledger, until a person or a statement closes it."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("brk"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    provider = models.CharField(max_length=31)
    kind = models.CharField(max_length=20, choices=BreakKind)
    object_id = models.CharField(max_length=140)
    currency = models.CharField(max_length=10)
    says = models.CharField(max_length=400)
    found_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(User, null=True, on_delete=models.PROTECT, db_index=False)
    reason = models.CharField(max_length=500, blank=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["business", "currency"],
                condition=Q(closed_at=None),
                name="open_breaks_of_a_business",
            ),
            models.Index(fields=["-found_at", "-id"], name="breaks_in_reading_order"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["provider", "kind", "object_id", "currency"],
                condition=Q(closed_at=None),
                name="one_open_break_of_a_kind",
            ),
            models.CheckConstraint(
                condition=Q(kind__in=BreakKind.values), name="break_kind_is_known"
            ),
            models.CheckConstraint(
                condition=Q(closed_at=None, closed_by=None, reason="")
                | Q(closed_at__isnull=False) & ~Q(reason=""),
                name="a_closed_break_says_why",
            ),
            Recorded(fields=["closed_at"], added=True, name="a_break_is_recorded"),
            SetOnce(
                fields=[
                    "id",
                    "public_id",
                    "business",
                    "provider",
                    "kind",
                    "object_id",
                    "currency",
                    "says",
                    "found_at",
                    "closed_at",
                    "closed_by",
                    "reason",
                ],
                name="a_break_keeps_what_it_says",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


class LiveLimit(models.Model):
    """Limits that our staff set for a business, in euro cents, until others replace them."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("lim"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    month_cents = models.BigIntegerField()
    payment_cents = models.BigIntegerField()
    reason = models.CharField(max_length=500)
    set_by = models.ForeignKey(User, on_delete=models.PROTECT, db_index=False)
    set_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business"], condition=Q(ended_at=None), name="one_limit_of_a_business"
            ),
            models.CheckConstraint(
                condition=Q(month_cents__gte=0, payment_cents__gte=0),
                name="a_limit_is_never_negative",
            ),
            Recorded(fields=[], added=True, name="limits_are_recorded"),
            SetOnce(
                fields=[
                    "id",
                    "public_id",
                    "business",
                    "month_cents",
                    "payment_cents",
                    "reason",
                    "set_by",
                    "set_at",
                    "ended_at",
                ],
                name="a_limit_keeps_what_it_says",
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


class LiveSpending(models.Model):
    """What a business has paid out in live in a month, in euro cents, without what failed."""

    business = models.ForeignKey(Business, on_delete=models.PROTECT, db_index=False)
    month = models.DateField()
    euro_cents = models.BigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["business", "month"], name="one_spending_of_a_month"),
        ]

    def __str__(self) -> str:
        return f"{self.business}, {self.month:%Y-%m}"
