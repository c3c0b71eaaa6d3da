"""Where our staff open or end a currency for a business: the layer above has the page."""

from console.core.money import CURRENCIES
from console.core.registered_route import RegisteredRoute

_PAGE = RegisteredRoute("The page of a currency")
register = _PAGE.register


def addresses(business_id: str) -> dict[str, str]:
    """Return the pages of a business by the currencies that it has to opt in to."""
    codes = [code for code, one in CURRENCIES.items() if one.opt_in]
    return {code: _PAGE.address(business_id, code) for code in codes}
