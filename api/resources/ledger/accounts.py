"""The accounts of a balance, between which entries move money, and what entries are about."""

from django.db import models


class Account(models.TextChoices):
    """Three that a balance shows, and whoever is outside: together they always sum to zero."""

    AVAILABLE = "available", "Available"
    PENDING = "pending", "Pending"
    RESERVED = "reserved", "Reserved"
    EXTERNAL = "external", "External"


class EntryType(models.TextChoices):
    """What moved the money. Only ever added to: clients branch on it."""

    OPENING = "opening", "Opening balance"
    PAYOUT = "payout", "Payout"
    TRANSFER = "transfer", "Transfer"
    DEPOSIT = "deposit", "Deposit"
    CONVERSION = "conversion", "Conversion"
    OTC_ORDER = "otc_order", "OTC order"
    CRYPTO_WITHDRAWAL = "crypto_withdrawal", "Crypto withdrawal"
    CARD_TRANSACTION = "card_transaction", "Card transaction"
    REFUND = "refund", "Refund"
    SAVINGS = "savings", "Savings"
    DIGITAL_SERVICE = "digital_service", "Digital service"
    PAYROLL = "payroll", "Payroll"
    FLIGHT = "flight", "Flight"
