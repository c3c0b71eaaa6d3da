"""Page for our account team to enable or end a currency for a business."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from api.opt_in.forms import CurrencyForm
from api.payments import currencies
from api.payments.models import Balance, CurrencyOptIn
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.core.money import CURRENCIES, Currency
from console.shell.forms import posted

_VERBS = {"open": currencies.opt_in, "end": currencies.opt_out}


@staff_page(Permission.ACCOUNT_MANAGE, step_up=True, methods=("GET", "POST"))
def currency_page(request: ConsoleRequest, account_id: str, currency: str) -> HttpResponse:
    """Show whether a business has a currency, and enable or end it with a reason."""
    business = get_object_or_404(Business, public_id=account_id)
    found = CURRENCIES.get(currency)
    if found is None or not found.opt_in:
        raise Http404
    form = CurrencyForm(posted(request))
    if form.is_valid():
        verb = _VERBS[form.cleaned_data["wanted"]]
        verb(business, currency, reason=form.cleaned_data["reason"], by=request.user)
        messages.success(
            request,
            _("You have changed %(currency)s for %(business)s.")
            % {"currency": currency, "business": business.name},
        )
        return redirect("api:currency", account_id, currency)
    return render(request, "api/currency.html", _shown(business, found, form))


def _shown(business: Business, currency: Currency, form: CurrencyForm) -> dict[str, object]:
    rows = CurrencyOptIn.objects.filter(business=business, currency=currency.code)
    balances = Balance.objects.filter(business=business, currency=currency.code, removed_at=None)
    return {
        "business": business,
        "currency": currency,
        "form": form,
        "opened": rows.filter(ended_at=None).first(),
        "balances": balances.order_by("environment", "pk"),
    }
