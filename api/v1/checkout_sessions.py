"""GET, POST /checkout-sessions, decisions about late payments, and payers as test helpers."""

from datetime import timedelta

from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from api.payments import checkout_payments, checkout_sessions
from api.payments.models import CheckoutSession, Deposit
from api.problems import ApiProblem
from api.providers.simulated import WAIT
from api.v1 import filters
from api.v1.checkout_session_serializers import (
    CheckoutSessionCreateSerializer,
    CheckoutSessionSerializer,
    SimulatedPaymentCreateSerializer,
    SimulatedPaymentSerializer,
)
from api.v1.examples import checkout as examples
from api.v1.shared_fields import money_of
from api.viewsets import ListMixin, ResourceViewSet, RetrieveMixin, operation
from console.core import clock, ids
from console.core.money import ASSETS

# What a payer sends by mistake instead.
_WRONG = {True: ("USDC", "USDT"), False: ("USD", "NGN")}
_OUT_OF_ORDER = timedelta(minutes=1)


class CheckoutSessionBaseViewSet(ResourceViewSet):
    """Base of the operations on checkout sessions."""

    product = "checkout"
    resource = "checkout_sessions"
    queryset = CheckoutSession.objects.select_related("account", "business").prefetch_related(
        "payments"
    )
    serializer_class = CheckoutSessionSerializer

    def answer_again(self) -> Response:
        """Return the session as it is after a change."""
        return self.answer(self.get_object())


class CheckoutSessionViewSet(CheckoutSessionBaseViewSet, ListMixin, RetrieveMixin):
    """Payment requests to payers on a hosted page."""

    settle_due = staticmethod(checkout_sessions.settle_due)
    query_class = filters.of(
        CheckoutSession, CheckoutSessionSerializer, "status", "currency", "reference"
    )
    words = "checkout sessions", "checkout session"
    example = examples.CHECKOUT_SESSION

    @operation(
        body=CheckoutSessionCreateSerializer, status=201, financial=True, example=examples.NEW
    )
    def create(self, request: Request) -> Response:
        """Request a payment from a payer."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        body = serializer.validated_data
        session = self.new(
            CheckoutSession,
            body,
            amount=body["money"].minor,
            currency=body["money"].currency,
        )
        lasts = timedelta(seconds=body["expires_in"])
        return self.answer(checkout_sessions.create(session, lasts, by=self.actor))

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("cancelled"))
    def cancel(self, request: Request) -> Response:
        """Cancel a session. Money that has arrived is held until you accept or return it."""
        checkout_sessions.cancel(self.get_object(), by=self.actor)
        return self.answer_again()

    @action(
        detail=True,
        methods=["post"],
        url_path="late-payments/<str:payment_id>/accept",
        url_name="accept",
    )
    @operation(verb="accept_late_payment", example=examples.LATE_ACCEPTED)
    def accept(self, request: Request) -> Response:
        """Accept a held payment. It is added to your balance, and the session stays ended."""
        checkout_payments.accept(self.payment(), by=self.actor)
        return self.answer_again()

    @action(
        detail=True,
        methods=["post"],
        url_path="late-payments/<str:payment_id>/return",
        url_name="return",
    )
    @operation(verb="return_late_payment", example=examples.LATE_RETURNED)
    def give_back(self, request: Request) -> Response:
        """Return a held payment to the account it came from."""
        checkout_payments.give_back(self.payment(), by=self.actor)
        return self.answer_again()

    def payment(self) -> Deposit:
        """Return the payment of the session that the path names."""
        payments = self.get_object().payments.select_related("checkout_session", "business")
        found = payments.filter(public_id=self.kwargs["payment_id"]).first()
        if found is None:
            raise ApiProblem("NOT_FOUND")
        return found  # type: ignore[no-any-return]  # as find() has it


class CheckoutTestHelperViewSet(CheckoutSessionBaseViewSet):
    """Test helpers that act as the payers of checkout sessions, and as time."""

    @action(detail=True, methods=["post"])
    @operation(
        body=SimulatedPaymentCreateSerializer,
        answer=SimulatedPaymentSerializer,
        status=201,
        # A reversal takes money that may be spent.
        codes=["INSUFFICIENT_BALANCE"],
        verb="pay",
        example=examples.NEW_PAYMENT,
    )
    def payments(self, request: Request) -> Response:
        """Simulate a payment. We book each provider reference only once."""
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        session, body = self.get_object(), serializer.validated_data
        fault = body.get("fault", "")
        currency = session.currency
        if fault == "wrong_currency":
            first, second = _WRONG[currency in ASSETS]
            currency = second if currency == first else first
        offset = timedelta(seconds=body["seen_at_offset"])
        if fault == "out_of_order":
            offset -= _OUT_OF_ORDER
        waits = body["confirmations"] * WAIT
        now = clock.of_database()
        payment = Deposit(
            amount=money_of(body["amount"], currency).minor,
            currency=currency,
            source_reference=body.get("source_reference", ""),
            provider_reference=body.get("provider_reference") or ids.new("sbx"),
            created_at=now + offset,
            confirms_at=now + waits if waits else None,
        )
        booked = checkout_payments.receive(
            session, payment, ends_first=fault == "late", by=self.actor
        )
        if body["duplicate"]:
            payment.pk, payment.public_id = None, ids.new("dep")
            booked = checkout_payments.receive(session, payment, by=self.actor)
        if fault == "reversed" and booked.checkout_session_id == session.public_id:
            booked = checkout_payments.reverse(booked, by=self.actor)
        return self.answer(
            {"payment": booked, "session": self.get_object()}, SimulatedPaymentSerializer
        )

    @action(detail=True, methods=["post"])
    @operation(example=examples.of_status("expired"))
    def expire(self, request: Request) -> Response:
        """End a session as if its time were over."""
        checkout_sessions.expire(self.get_object(), by=self.actor)
        return self.answer_again()
