"""Give the demo's live business an account at the simulated bank, and money on it."""

from urllib.parse import urlencode

from api.payments import virtual_accounts
from api.payments.models import VirtualAccount
from api.providers import configured
from apikeys.lifecycle import Environment
from console.accounts.models import Business, User
from console.core import outbound
from console.events import outbox

_CURRENCY, _AMOUNT = "GBP", "25000.00"


def load(business: Business, *, by: User) -> None:
    """Open the account and let a payer pay, unless it is done or no provider is connected."""
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
    paid = {"amount": _AMOUNT, "payer_name": "Quayside Trading Ltd", "source_reference": "INV 2041"}
    form = {"Content-Type": "application/x-www-form-urlencoded", "Origin": bank.url}
    page = f"{bank.url}/page/pay/{account.public_id}"
    outbound.post(page, urlencode(paid).encode(), form)
