"""Business, Membership (a role in it), Participant (who ever worked for it), and Invitation."""

from typing import Self

from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import models
from django.db.models import Q

from console.accounts.lifecycle import LIFECYCLE, Access
from console.accounts.models.folded import Folded, NameOrder
from console.accounts.models.person import User
from console.accounts.models.same_person import SamePerson
from console.accounts.roles import BUSINESS, STAFF, Role
from console.audit.recorded import Recorded, changed, recorded_status
from console.core import clock, ids
from console.core.database_rule import DatabaseRule
from console.core.frozen import NeverChanges, SetOnce
from console.core.immediate_key import ImmediateForeignKey
from console.core.moves_constraint import MovesConstraint


class BusinessQuerySet(models.QuerySet["Business"]):
    def of(self, user: User) -> Self:
        """Return the businesses that a user belongs to."""
        return self.filter(membership__user=user).distinct().order_by(NameOrder("name"), "pk")

    def locked(self, business: "Business") -> "Business":
        """Return the current row, locked until the transaction ends."""
        return self.select_for_update(no_key=True, of=("self",)).get(pk=business.pk)


class Business(models.Model):
    """A company that uses, or asks to use, what we sell.

    `account_manager` looks after it on our staff. `active_at` is when somebody last did something
    for it or about it, from the audit log and a minute late (`console.accounts.activity`).
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("biz"))
    name = models.CharField(max_length=300)
    status = models.CharField(max_length=20, choices=Access, default=Access.ACTIVE)
    status_changed_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)
    account_manager = models.ForeignKey(User, null=True, on_delete=models.PROTECT, related_name="+")
    active_at = models.DateTimeField(default=clock.now)

    objects = BusinessQuerySet.as_manager()

    class Meta:
        constraints = [
            MovesConstraint(arrows=LIFECYCLE.arrows(), name="business_moves_by_the_table"),
            models.CheckConstraint(
                condition=Q(status__in=Access.values), name="business_status_is_known"
            ),
            SetOnce(fields=["id", "public_id"], name="a_business_is_one_business"),
            DatabaseRule.beside(__file__, "accounts_require_access"),
            DatabaseRule.beside(__file__, "accounts_folded"),
            DatabaseRule.beside(__file__, "accounts_name_order"),
            Recorded(
                fields=["account_manager"],
                name="account_managers_are_recorded",
                condition="OLD.account_manager_id IS DISTINCT FROM NEW.account_manager_id",
            ),
            Recorded(
                fields=["name"], name="names_of_businesses_are_recorded", condition=changed("name")
            ),
            recorded_status("businesses"),
        ]
        # The orders of the register.
        indexes = [
            models.Index(NameOrder("name"), "id", name="businesses_in_order_of_names"),
            models.Index(fields=["created_at", "id"], name="businesses_by_age"),
            models.Index(fields=["active_at", "id"], name="businesses_by_activity"),
            # For `folded__contains`. With `fastupdate`, each search would also read the list of
            # pending rows.
            GinIndex(
                OpClass(Folded("name"), "gin_trgm_ops"),
                fastupdate=False,
                name="businesses_by_plain_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class MembershipQuerySet(models.QuerySet["Membership"]):
    def staff(self) -> Self:
        return self.filter(business=None)

    def of(self, user: User, business: Business | None) -> Self:
        """Return a user's memberships in this business; with None, their staff roles."""
        return self.filter(user=user, business=business)


class Membership(models.Model):
    """A user's role in one business, or on our staff if `business` is null."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("mem"))
    user = models.ForeignKey(User, on_delete=models.PROTECT)
    business = models.ForeignKey(Business, null=True, on_delete=models.PROTECT)
    role = models.CharField(max_length=30, choices=Role)
    since = models.DateTimeField(auto_now_add=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["user", "business", "role"],
                nulls_distinct=False,
                name="a_role_is_held_once",
            ),
            models.CheckConstraint(
                condition=Q(business=None, role__in=STAFF)
                | Q(business__isnull=False, role__in=BUSINESS),
                name="staff_roles_are_for_staff",
            ),
            DatabaseRule.beside(__file__, "accounts_member_is_participant"),
            DatabaseRule.beside(__file__, "accounts_record_members"),
            Recorded(
                fields=["user", "business", "role"],
                name="staff_roles_are_recorded",
                added=True,
                about="user_id",
                condition="NEW.business_id IS NULL",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.get_role_display()} of {self.business or 'our staff'}"


class ParticipantQuerySet(models.QuerySet["Participant"]):
    def of(self, user: User, business: Business) -> Self:
        """Return who took part for a business, with this account or another of the same person."""
        return self.filter(SamePerson("person", user), business=business)


class Participant(models.Model):
    """Records that a user once belonged to a business, or answered, submitted or signed for it.

    Database triggers on those tables add these rows, which are never deleted: nobody who acted for
    a business may later review it.
    """

    business = models.ForeignKey(Business, on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    since = models.DateTimeField()

    objects = ParticipantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["business", "person"], name="a_participant_is_noted_once"
            ),
            NeverChanges(name="participants_never_change"),
            ImmediateForeignKey(
                fields=["person"], to="accounts.User", to_fields=["id"], name="who_took_part_stays"
            ),
            DatabaseRule.beside(__file__, "accounts_note_participant"),
        ]

    def __str__(self) -> str:
        return f"{self.person} took part for {self.business}"


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> Self:
        return self.filter(accepted_at=None, withdrawn_at=None, expires_at__gt=clock.now())

    def waiting_for(self, person: User) -> Self:
        """Return the open invitations to a user's address, newest first."""
        return self.open().filter(email=person.email).order_by("-pk")


class Invitation(models.Model):
    """A role in a business, offered by e-mail. The link in the e-mail is signed, not stored.

    `name` is set only for the signatory named in an application.
    """

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("inv"))
    business = models.ForeignKey(Business, on_delete=models.PROTECT)
    email = models.EmailField()
    role = models.CharField(max_length=30, choices=Role)
    name = models.CharField(max_length=200, blank=True)
    invited_by = models.ForeignKey(User, on_delete=models.PROTECT)
    invited_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(role__in=BUSINESS), name="an_invitation_is_to_a_business"
            ),
            models.CheckConstraint(
                condition=Q(accepted_at=None) | Q(withdrawn_at=None),
                name="an_invitation_ends_one_way",
            ),
            SetOnce(
                fields=[
                    *("id", "public_id", "business", "email", "role", "invited_by"),
                    *("accepted_at", "withdrawn_at"),
                ],
                name="an_invitation_is_one_invitation",
            ),
            Recorded(
                fields=["name", "invited_at", "expires_at"],
                added=True,
                name="invitations_are_recorded",
            ),
            models.UniqueConstraint(
                fields=["id", "business"], name="an_invitation_and_its_business"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.email} as {self.role} of {self.business}"

    @property
    def is_open(self) -> bool:
        ended = self.accepted_at or self.withdrawn_at
        return ended is None and self.expires_at > clock.now()
