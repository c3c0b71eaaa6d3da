"""Domain exceptions for refused requests: Refused, NotAllowed, NotReady, Blocker and others."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _


@dataclass(frozen=True)
class Blocker:
    """One reason why something is not possible, in words the reader can act on."""

    code: str
    message: str


class Refused(Exception):
    """The domain refused a request. Expected, explained to the user, and never logged as an error.

    Domain functions raise it. The console's middleware and the API turn it into a page or a problem
    document, so views need not catch it. `code` is for machines, `message` for people, `status` is
    the HTTP status, `blockers` list what is missing, and `template` is the page that shows it.
    `field` is the name of the one wrong value, if there is one; slashes separate its parts.
    `reason` distinguishes the cases of one code.
    """

    code = "refused"
    status = 409
    template = "errors/refused.html"
    field = ""
    reason = ""

    def __init__(
        self, message: str, *, field: str = "", reason: str = "", blockers: Sequence[Blocker] = ()
    ) -> None:
        super().__init__(message)
        self.message = message
        self.field = field or self.field
        self.reason = reason or self.reason
        self.blockers = tuple(blockers)


class NotAllowed(Refused):
    """This person or key may not do that."""

    code = "not_allowed"
    status = 403


class NotReady(Refused):
    """It is not possible yet. The blockers say what is missing."""

    code = "not_ready"


class ReasonMissing(NotReady):
    """The decision has no reason."""


class WrongStatus(Refused):
    """The object's current status does not allow this."""

    code = "wrong_status"

    @classmethod
    def between(cls, here: str, there: str) -> "WrongStatus":
        """Return the refusal of a change from one status to another."""
        if here == there:
            said = _("Its status is already “%(status)s”.")
            return cls(said % {"status": here}, reason="already_done")
        said = _("Its status is “%(here)s”, so it cannot become “%(there)s”.")
        return cls(said % {"here": here, "there": there})


class Stale(Refused):
    """The page shows data that has changed since it was opened."""

    code = "stale"


class AlreadyDone(Stale):
    """The same form was submitted before: it was processed then, and is not processed again."""

    code = "already_done"


class TooMany(Refused):
    """Too many attempts. `retry_after` says in how many seconds to try again."""

    code = "too_many"
    status = 429

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class FileUnavailable(Refused):
    """A stored file cannot be read, or files cannot be saved now. This is our fault."""

    code = "file_unavailable"
    status = 503


class ComplianceBlocked(Refused):
    """The country or party is restricted. This applies to everyone."""

    code = "COMPLIANCE_BLOCKED"
    status = 403
    reason = "restricted_place"
