"""What the domain says when it declines: Refused, NotAllowed, NotReady, Blocker."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Blocker:
    """One thing that stands in the way, in words its reader can act on."""

    code: str
    message: str


class Refused(Exception):
    """The domain declined. Expected, explained, and never logged as an error.

    Verbs raise it; the console's middleware and the API turn it into a page or a
    problem document, so no view needs to catch it. `code` is for machines, `message` for the
    person, `status` is the HTTP status, `blockers` say what is missing, `template` is the page that
    says so where it gets one. `field` names what is wrong, where one given value is: parts of it
    are separated by slashes. `reason` tells the cases of one code apart.
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
    """It may be done, but not yet. The blockers say what is missing."""

    code = "not_ready"


class ReasonMissing(NotReady):
    """A decision without a reason helps nobody."""


class WrongStatus(Refused):
    """The thing is not in a status from which that can be done."""

    code = "wrong_status"


class Stale(Refused):
    """The page shows something that has changed since it was opened."""

    code = "stale"


class AlreadyDone(Stale):
    """The same form was sent before: what it asked for is there, and was not done twice."""

    code = "already_done"


class TooMany(Refused):
    """It was tried too often. `retry_after` says in how many seconds to try again."""

    code = "too_many"
    status = 429

    def __init__(self, message: str, *, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class ComplianceBlocked(Refused):
    """A restricted country or party; a rule for everyone."""

    code = "COMPLIANCE_BLOCKED"
    status = 403
    reason = "restricted_place"
