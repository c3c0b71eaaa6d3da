"""Models of the sandbox, by product group."""

from api.sandbox.models.cards import Card, Cardholder, CardTransaction, CardType
from api.sandbox.models.checkout import CheckoutSession
from api.sandbox.models.commerce import FlightBooking, InventoryItem, Order, ServiceOrder
from api.sandbox.models.crypto import CryptoAddress, CryptoWithdrawal
from api.sandbox.models.customers import (
    Customer,
    CustomerType,
    DocumentType,
    IdentityVerification,
    SubAccount,
)
from api.sandbox.models.disbursement import Disbursement
from api.sandbox.models.exchange import Conversion, OtcOrder, OtcSide, Quote
from api.sandbox.models.ledger import Account, Balance, CurrencyOptIn, EntryType, LedgerEntry
from api.sandbox.models.owned_object import OwnedObject
from api.sandbox.models.payments import Beneficiary, Payout, PayrollRun, Transfer
from api.sandbox.models.savings import Savings, SavingsDirection, SavingsMovement
from api.sandbox.models.virtual_accounts import (
    AccountType,
    Deposit,
    FreezeAuthority,
    NotApplied,
    PaymentMethod,
    Refund,
    VirtualAccount,
)

__all__ = [
    "Account",
    "AccountType",
    "Balance",
    "Beneficiary",
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
    "NotApplied",
    "Order",
    "OtcOrder",
    "OtcSide",
    "OwnedObject",
    "PaymentMethod",
    "Payout",
    "PayrollRun",
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
