"""All kinds of disbursements, and what each does in addition."""

from typing import Any

from api.payments import cards, deposits, quotes, savings
from api.payments.disbursing import Disbursing
from api.payments.models import (
    CardTransaction,
    Conversion,
    CryptoWithdrawal,
    FlightBooking,
    OtcOrder,
    Payout,
    PayrollRun,
    Refund,
    SavingsMovement,
    ServiceOrder,
    Transfer,
)
from api.providers.simulated import provider_for


def _use_quote(row: Conversion | Transfer) -> None:
    """Use the quote, if there is one. It remains unused if the rest is refused."""
    if row.quote is not None:
        quotes.use(row.quote)


def _hold_service(order: ServiceOrder) -> None:
    """Reserve the service for its recipient. Raises StockConflict if it is sold out."""
    provider_for(order.environment).hold_service(order.recipient)


def _hold_seats(booking: FlightBooking) -> None:
    """Reserve a seat for each passenger. Raises StockConflict if one is not available."""
    names = [one["last_name"] for one in booking.passengers]
    provider_for(booking.environment).hold_seats(names)


PAYOUTS = Disbursing(Payout, "payout", work="payouts")
PAYROLL_RUNS = Disbursing(PayrollRun, "payroll_run", work="payroll")
TRANSFERS = Disbursing(Transfer, "transfer", work="remittance", before=_use_quote)
CONVERSIONS = Disbursing(Conversion, "conversion", work="conversions", before=_use_quote)
OTC_ORDERS = Disbursing(OtcOrder, "otc_order")
CRYPTO_WITHDRAWALS = Disbursing(CryptoWithdrawal, "crypto_withdrawal")
CARD_TRANSACTIONS = Disbursing(
    CardTransaction, "card_transaction", before=lambda row: cards.require_active(row.card)
)
REFUNDS = Disbursing(Refund, "refund", work="refunds", before=deposits.require_refundable)
SAVINGS_MOVEMENTS = Disbursing(SavingsMovement, "savings_movement", effect=savings.keep_balance)
SERVICE_ORDERS = Disbursing(ServiceOrder, "service_order", before=_hold_service)
FLIGHT_BOOKINGS = Disbursing(FlightBooking, "flight_booking", before=_hold_seats)
DISBURSEMENTS: tuple[Disbursing[Any], ...] = (
    PAYOUTS,
    PAYROLL_RUNS,
    TRANSFERS,
    CONVERSIONS,
    OTC_ORDERS,
    CRYPTO_WITHDRAWALS,
    CARD_TRANSACTIONS,
    REFUNDS,
    SAVINGS_MOVEMENTS,
    SERVICE_ORDERS,
    FLIGHT_BOOKINGS,
)
BY_WORD = {kind.word: kind for kind in DISBURSEMENTS}
