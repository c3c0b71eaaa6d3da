"""User, Session (where a user is signed in), and Throttle (rate limit buckets)."""

from typing import Any, ClassVar, Self

from django.contrib.auth import hashers
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from console.audit import log as audit
from console.audit.recorded import RecordedAs, changed
from console.core import ids
from console.core.frozen import SetOnce
from console.core.gcra import GcraBucket

# Who a person is, and what lets them sign in.
_SIGNS_IN = ("email", "email_confirmed_at", "name", "password", "is_active")


class OptionalMail(models.TextChoices):
    """The kinds of e-mail that a person can turn off. Every other kind is always sent."""

    RECEIPTS = "receipts", _("A receipt when you submit an application")
    KEYS = "keys", _("Reminders of keys that expire soon or that nobody uses")
    ENDPOINTS = "endpoints", _("Reports of webhook deliveries that fail")


class WorkMail(models.TextChoices):
    """When our staff hear by e-mail of work that waits for them."""

    AT_ONCE = "at_once", _("At once: one e-mail for each thing, when it becomes your turn")
    DAILY = "daily", _("Daily: one e-mail with everything that waits for you")


class UserManager(BaseUserManager["User"]):
    """Creates users, with their e-mail address in lower case."""

    def create_user(self, email: str, *, name: str, password: str | None = None) -> "User":
        user = self.model(email=email.strip().lower(), name=name)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def locked(self, person: "User") -> "User":
        """Return the current row, locked until the transaction ends."""
        return self.select_for_update(no_key=True, of=("self",)).get(pk=person.pk)

    def get_by_natural_key(self, email: str | None) -> "User":
        return self.get(email=(email or "").strip().lower())


class User(AbstractBaseUser):  # type: ignore[django-manager-missing]  # django-otp has no types
    """A user. Permissions come only from memberships."""

    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("usr"))
    email = models.EmailField(unique=True)
    name = models.CharField(max_length=200)
    is_active = models.BooleanField(default=True)
    email_confirmed_at = models.DateTimeField(null=True)
    joined_at = models.DateTimeField(auto_now_add=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    unwanted_mail = ArrayField(models.CharField(max_length=20), default=list)
    # Only for our staff.
    work_mail = models.CharField(
        max_length=10,
        choices=WorkMail,
        default=WorkMail.AT_ONCE,
        db_default=WorkMail.AT_ONCE,
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(email=Lower("email")), name="user_email_is_in_lower_case"
            ),
            # Participants and reviewers are identified by it. Users who never confirmed are
            # deleted.
            SetOnce(fields=["id", "public_id"], name="a_person_is_one_person", deletable=True),
            RecordedAs(
                fields=_SIGNS_IN,
                condition=changed(*_SIGNS_IN),
                name="changes_of_people_are_recorded",
            ),
            RecordedAs(
                fields=[],
                added=True,
                condition="NEW.email_confirmed_at IS NOT NULL",
                name="confirmed_people_are_recorded",
            ),
            RecordedAs(
                fields=[],
                removed=True,
                condition="OLD.email_confirmed_at IS NOT NULL",
                name="confirmed_people_are_not_removed_unseen",
            ),
        ]
        indexes = [
            models.Index(
                fields=["joined_at"],
                condition=models.Q(email_confirmed_at=None),
                name="people_not_confirmed",
            )
        ]

    def __str__(self) -> str:
        return self.name or self.email

    def check_password(self, raw_password: str | None) -> bool:
        """Check a password. If hashes have changed since it was set, hash it again."""
        return hashers.check_password(raw_password, self.password, self._hash_again)

    @transaction.atomic
    def _hash_again(self, raw: str) -> None:
        self.set_password(raw)
        self._password = None  # it is the same, so nobody is told of a change
        self.save(update_fields=["password"])
        audit.record("person.password_hashed_again", self, by=self)

    @property
    def initials(self) -> str:
        words = self.name.split() or [self.email]
        return "".join(word[0] for word in (words[0], words[-1])[: len(words)]).upper()


class SessionQuerySet(models.QuerySet["Session"]):
    def of(self, user: User) -> Self:
        return self.filter(user=user).order_by("-seen_at", "session_key")


class Session(AbstractBaseSession):
    """A signed-in session. The key is stored as a digest, so the table alone gives no access.

    `provider_sessions` writes what the OpenID provider said: when we last asked it and had an
    answer, and the encrypted tokens. Requests that end later must not write former tokens back.
    """

    session_key = models.CharField(max_length=64, primary_key=True)
    public_id = models.CharField(max_length=40, unique=True, default=ids.maker("ses"))
    user = models.ForeignKey(User, null=True, on_delete=models.CASCADE)
    ip = models.GenericIPAddressField(null=True)
    agent = models.CharField(max_length=300, blank=True)
    began_at = models.DateTimeField(auto_now_add=True)
    seen_at = models.DateTimeField(auto_now=True)
    provider_asked_at = models.DateTimeField(null=True)
    provider_read_at = models.DateTimeField(null=True)
    provider_tokens = models.BinaryField(null=True)

    objects = SessionQuerySet.as_manager()  # type: ignore[assignment,misc]

    def __str__(self) -> str:
        return f"session {self.public_id}"

    def save(self, *args: Any, **options: Any) -> None:
        """Save the session, without what the provider said."""
        if options.get("force_update"):
            names = {field.name for field in self._meta.concrete_fields if not field.primary_key}
            options["update_fields"] = {one for one in names if not one.startswith("provider_")}
        super().save(*args, **options)


class Throttle(GcraBucket):
    """A rate limit bucket for one kind of attempt and one name."""
