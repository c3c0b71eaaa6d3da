"""The 21 products with exactly the scopes of the specification (5.6), as data."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Product:
    """Something a business can be approved for; its module in the console has the same key."""

    key: str
    name: str
    what: str
    icon: str
    scopes: tuple[str, ...]


def _read_write(*resources: str) -> tuple[str, ...]:
    return tuple(f"{resource}:{verb}" for resource in resources for verb in ("read", "write"))


_ALL = (
    Product("customers", "Customers", "Keep records of the people and firms you serve.", "contact",
            _read_write("customers")),
    Product("balances", "Balances & transactions", "See what you hold, and every movement.",
            "wallet", ("balances:read", "usage:read")),
    Product("virtual_accounts", "Virtual accounts", "Receive bank transfers on your own numbers.",
            "landmark", _read_write("virtual_accounts")),
    Product("checkout", "Checkout", "Take payments on a page that we host.", "shopping-cart",
            _read_write("checkout")),
    Product("remittance", "Remittance & transfers", "Send money to people and firms abroad.",
            "send", _read_write("beneficiaries", "transfers")),
    Product("conversions", "Conversions & swaps", "Exchange one currency for another.",
            "arrow-left-right", _read_write("quotes", "conversions")),
    Product("cards", "Cards", "Issue virtual and physical cards.", "credit-card",
            (*_read_write("cardholders", "cards"), "card_transactions:read")),
    Product("webhooks", "Webhooks", "Hear about events as they happen.", "webhook",
            _read_write("webhooks")),
    Product("otc", "OTC trading", "Trade large amounts at an agreed price.", "handshake",
            _read_write("otc")),
    Product("payouts", "Bank payouts", "Pay out to local bank accounts.", "banknote",
            _read_write("payouts")),
    Product("crypto", "Crypto", "Blockchain addresses and withdrawals.", "bitcoin",
            _read_write("crypto")),
    Product("rates", "Rates", "Read exchange rates.", "trending-up", ("rates:read",)),
    Product("refunds", "Store refunds", "Give money back for a payment.", "undo-2",
            _read_write("refunds")),
    Product("digital_services", "Digital services", "Sell airtime, data and bills.", "smartphone",
            _read_write("digital_services")),
    Product("flights", "Flights", "Search and book flights.", "plane", _read_write("flights")),
    Product("payroll", "Payroll", "Pay staff in one run.", "users", _read_write("payroll")),
    Product("financing", "Financing", "See the credit that you are offered.", "hand-coins",
            ("financing:read",)),
    Product("savings", "Savings", "Set money aside.", "piggy-bank", _read_write("savings")),
    Product("merchant", "Merchant hub", "Your profile as a merchant.", "store",
            ("merchant:read",)),
    Product("identity_verification", "Identity verification", "Check who someone is.",
            "fingerprint-pattern", ("identity_verification:write",)),
    Product("inventory", "Inventory", "Keep stock, and reserve it.", "package",
            _read_write("inventory")),
)  # fmt: skip

PRODUCTS: dict[str, Product] = {product.key: product for product in _ALL}
# In every pack, asked for or not.
BASE_PRODUCTS = ("balances", "webhooks")
