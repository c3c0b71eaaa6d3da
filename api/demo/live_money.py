"""Give the demo's live business an account at the simulated bank, and money on it.

One of its payers resembles an entry of the simulated sanctions list, so reviewers have a payment to
check.
"""

from urllib.parse import urlencode

from api.payments import virtual_accounts
from api.payments.models import VirtualAccount
from api.providers import configured
from apikeys.lifecycle import Environment
from console.accounts.models import Business, User
from console.core import outbound
from console.events import outbox

_CURRENCY = "GBP"
# Who pays what, for which invoice.
_PAYERS = (
    ("Quayside Trading Ltd", "25000.00", "INV 2041"),
    ("Sanctioned Shipping Agency", "1840.00", "INV 2057"),
)


def load(business: Business, *, by: User) -> None:
    """Open the account and let its payers pay, unless it is done or no provider is connected."""
    bank = configured.provider_of("virtual_accounts")
    known = VirtualAccount.objects.filter(business=business, environment=Environment.LIVE)
    if bank is None or known.exists():
        return
    name = virtual_accounts.name_of(business, _CURRENCY, None, "")
    account = VirtualAccount(
        business=business, environment=Environment.LIVE, currency=_CURRENCY, account_name=name
    )
    virtual_accounts.create(account, by=by)
    outbox.settle()
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": bank.url}
    page = f"{bank.url}/page/pay/{account.public_id}"
    for payer, amount, reference in _PAYERS:
        paid = {"amount": amount, "payer_name": payer, "source_reference": reference}
        outbound.post(page, urlencode(paid).encode(), form)
