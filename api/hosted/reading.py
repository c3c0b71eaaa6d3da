"""Read a session for its payer: limited by address, and brought up to date."""

from functools import wraps
from typing import Any, NamedTuple, Self

from django.db.models import BooleanField, Count, ExpressionWrapper, Q
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponseBase

from api.hosted import errors
from api.payments import checkout_sessions
from api.payments.lifecycle import CheckoutStatus, DepositStatus
from api.payments.models import CheckoutSession, Deposit, NotApplied
from console.accounts import throttle
from console.accounts.limits import CHECKOUT_READS_PER_ADDRESS
from console.accounts.page_access import public_page
from console.core import addresses
from console.core.page_policies import PageView
from console.core.refusals import TooMany

MOST_SHOWN = 20
_CONFIRMED = Q(payments__not_applied=NotApplied.CONFIRMING, payments__confirms_at__lte=Now())
_MARKS = CheckoutSession.objects.annotate(
    arrived=Count("payments"),
    confirmed=Count("payments", filter=_CONFIRMED),
    is_over=ExpressionWrapper(Q(expires_at__lt=Now()), output_field=BooleanField()),
)


def payer_page(view: PageView) -> PageView:
    """Make a view public, and limit how often one address may ask."""
    return public_page(by_program=True)(_limited(view))


class SessionMark(NamedTuple):
    """Values that differ after every change of a session, from one row."""

    status: str
    received: int
    business__status: str
    arrived: int
    confirmed: int
    is_over: bool

    @classmethod
    def of(cls, **named: str) -> Self:
        """Return the mark of the session with these values, or raise Http404."""
        row = _MARKS.filter(**named).values_list(*cls._fields).first()
        if row is None:
            raise Http404("There is no such session.")
        return cls(*row)

    @property
    def is_open(self) -> bool:
        return self.status == CheckoutStatus.AWAITING_PAYMENT

    @property
    def is_due(self) -> bool:
        """Whether the session is not up to date."""
        return bool(self.confirmed) or (self.is_open and self.is_over)


def current(mark: SessionMark | None = None, **named: str) -> CheckoutSession:
    """Return the session with these values, up to date. Takes a lock only if it is not.

    `mark` is the session's, if it was just read.
    """
    is_due = (mark or SessionMark.of(**named)).is_due
    session = CheckoutSession.objects.select_related("business", "account").get(**named)
    if is_due:
        checkout_sessions.settle(session)
        session = CheckoutSession.objects.select_related("business", "account").get(**named)
    return session


def payments_of(session: CheckoutSession) -> list[Deposit]:
    """Return the newest payments that arrived in the session's currency, oldest first."""
    gone = [DepositStatus.REVERSED, DepositStatus.RETURNED]
    arrived = session.payments.filter(currency=session.currency).exclude(status__in=gone)
    return list(arrived.order_by("-created_at", "-pk")[:MOST_SHOWN])[::-1]


def _limited(view: PageView) -> PageView:
    @wraps(view)
    def limited_view(request: HttpRequest, **kwargs: Any) -> HttpResponseBase:
        try:
            throttle.take("checkout", addresses.network(request), CHECKOUT_READS_PER_ADDRESS)
        except TooMany as refusal:
            return errors.too_many(refusal)
        return view(request, **kwargs)

    return limited_view
