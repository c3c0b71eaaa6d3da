"""Models of payments, by product group."""

from api.payments.models.cards import Card, Cardholder, CardTransaction, CardType
from api.payments.models.checkout import CheckoutSession
from api.payments.models.commerce import FlightBooking, InventoryItem, Order, ServiceOrder
from api.payments.models.crypto import CryptoAddress, CryptoWithdrawal
from api.payments.models.customers import (
    Customer,
    CustomerType,
    DocumentType,
    IdentityVerification,
    SubAccount,
)
from api.payments.models.disbursement import Disbursement
from api.payments.models.exchange import Conversion, OtcOrder, OtcSide, Quote
from api.payments.models.instructions import (
    ACCOUNT,
    CARD,
    STATUS,
    BreakKind,
    LiveLimit,
    LiveSpending,
    ProviderBreak,
    ProviderEvent,
    ProviderInstruction,
)
from api.payments.models.ledger import Account, Balance, CurrencyOptIn, EntryType, LedgerEntry
from api.payments.models.owned_object import OwnedObject
from api.payments.models.payments import Beneficiary, Payout, PayrollRun, Transfer
from api.payments.models.savings import Savings, SavingsDirection, SavingsMovement
from api.payments.models.screenings import CARDHOLDER, DEPOSIT, PaymentScreening
from api.payments.models.virtual_accounts import (
    AccountType,
    Deposit,
    FreezeAuthority,
    NotApplied,
    PaymentMethod,
    Refund,
    VirtualAccount,
)

__all__ = [
    "ACCOUNT",
    "CARD",
    "CARDHOLDER",
    "DEPOSIT",
    "STATUS",
    "Account",
    "AccountType",
    "Balance",
    "Beneficiary",
    "BreakKind",
    "Card",
    "CardTransaction",
    "CardType",
    "Cardholder",
    "CheckoutSession",
    "Conversion",
    "CryptoAddress",
    "CryptoWithdrawal",
    "CurrencyOptIn",
    "Customer",
    "CustomerType",
    "Deposit",
    "Disbursement",
    "DocumentType",
    "EntryType",
    "FlightBooking",
    "FreezeAuthority",
    "IdentityVerification",
    "InventoryItem",
    "LedgerEntry",
    "LiveLimit",
    "LiveSpending",
    "NotApplied",
    "Order",
    "OtcOrder",
    "OtcSide",
    "OwnedObject",
    "PaymentMethod",
    "PaymentScreening",
    "Payout",
    "PayrollRun",
    "ProviderBreak",
    "ProviderEvent",
    "ProviderInstruction",
    "Quote",
    "Refund",
    "Savings",
    "SavingsDirection",
    "SavingsMovement",
    "ServiceOrder",
    "SubAccount",
    "Transfer",
    "VirtualAccount",
]
