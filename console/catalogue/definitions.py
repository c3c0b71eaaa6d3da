"""The products and their scopes; 21 are those of section 5.6 of the specification."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True)
class Product:
    """A product that a business can be approved for. Its console module has the same key."""

    key: str
    name: str
    what: Promise
    icon: str
    scopes: tuple[str, ...]


def _read_write(*resources: str) -> tuple[str, ...]:
    return tuple(f"{resource}:{verb}" for resource in resources for verb in ("read", "write"))


_ALL = (
    Product("customers", "Customers", _("Keep records of your customers."), "contact",
            _read_write("customers")),
    Product("balances", "Balances & transactions", _("See your balances and every transaction."),
            "wallet", ("balances:read", "usage:read")),
    Product("virtual_accounts", "Virtual accounts", _("Receive bank transfers in your accounts."),
            "landmark", _read_write("virtual_accounts")),
    Product("checkout", "Checkout", _("Take payments on a page that we host."), "shopping-cart",
            _read_write("checkout")),
    Product("remittance", "Remittance & transfers", _("Send money to people and companies abroad."),
            "send", _read_write("beneficiaries", "transfers")),
    Product("conversions", "Conversions & swaps", _("Exchange one currency for another."),
            "arrow-left-right", _read_write("quotes", "conversions")),
    Product("cards", "Cards", _("Issue virtual and physical cards."), "credit-card",
            (*_read_write("cardholders", "cards"), "card_transactions:read")),
    Product("webhooks", "Webhooks", _("Receive events as they happen."), "webhook",
            _read_write("webhooks")),
    Product("otc", "OTC trading", _("Trade large amounts at an agreed price."), "handshake",
            _read_write("otc")),
    Product("payouts", "Bank payouts", _("Pay out to local bank accounts."), "banknote",
            _read_write("payouts")),
    Product("crypto", "Crypto", _("Receive and withdraw crypto."), "bitcoin",
            _read_write("crypto")),
    Product("rates", "Rates", _("Read exchange rates."), "trending-up", ("rates:read",)),
    Product("refunds", "Store refunds", _("Refund payments."), "undo-2",
            _read_write("refunds")),
    Product("digital_services", "Digital services", _("Sell airtime and data, and pay bills."),
            "smartphone", _read_write("digital_services")),
    Product("flights", "Flights", _("Search and book flights."), "plane", _read_write("flights")),
    Product("payroll", "Payroll", _("Pay your staff in one run."), "users", _read_write("payroll")),
    Product("financing", "Financing", _("See the credit that you can get."), "hand-coins",
            ("financing:read",)),
    Product("savings", "Savings", _("Set money aside."), "piggy-bank", _read_write("savings")),
    Product("merchant", "Merchant hub", _("See your merchant profile."), "store",
            ("merchant:read",)),
    Product("identity_verification", "Identity verification", _("Verify people's identity."),
            "fingerprint-pattern", ("identity_verification:write",)),
    Product("inventory", "Inventory", _("Manage and reserve stock."), "package",
            _read_write("inventory")),
)  # fmt: skip

PRODUCTS: dict[str, Product] = {product.key: product for product in _ALL}
# Included in every pack, requested or not.
BASE_PRODUCTS = ("balances", "webhooks")
