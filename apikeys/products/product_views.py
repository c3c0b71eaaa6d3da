"""Staff pages: products of one or all businesses, manual module settings, and the sync."""

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apikeys.products import product_overview
from apikeys.products.forms import HandSettingForm, WithdrawForm
from console.accounts import access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.catalogue import module_settings, module_sync, products
from console.catalogue.definitions import PRODUCTS, Product
from console.catalogue.lifecycle import HandSetting
from console.catalogue.models import ModuleSetting
from console.shell import keyset_pages
from console.shell.forms import attempt, posted

# How many changes are listed; the page also gives the total number.
LISTED = 100


@staff_page(Permission.REVIEW_VIEW)
def product_list(request: ConsoleRequest) -> HttpResponse:
    """Show how many businesses have each product; with `?sync=preview`, what the sync would change.

    Only on request, because the preview compares every business.
    """
    is_previewed = request.GET.get("sync") == "preview"
    changes = module_sync.preview() if is_previewed else []
    context = {
        "is_previewed": is_previewed,
        "counts": product_overview.counts(),
        "changes": changes[:LISTED],
        "changing": len(changes),
        "may_set": access.allows(request.roles, Permission.ACCOUNT_MANAGE),
    }
    return render(request, "apikeys/products/products.html", context)


@staff_page(Permission.ACCOUNT_MANAGE, methods=("POST",))
def sync_all(request: ConsoleRequest) -> HttpResponse:
    """Sync the modules of every business with its products."""
    changed = module_sync.sync_all(by=request.user)
    messages.success(request, _synced(len(changed)))
    return redirect("apikeys:products")


@staff_page(Permission.REVIEW_VIEW)
def product_page(request: ConsoleRequest, product: str) -> HttpResponse:
    """List the manual settings of a product's module, with reasons."""
    found = _product(product)
    (counts,), after = product_overview.counts([product]), request.GET.get("after", "")
    page = keyset_pages.page_of(product_overview.set_by_hand(product), "-hand_at", after)
    context = {"counts": counts, "page": page, "product": found}
    return render(request, "apikeys/products/product.html", context)


@staff_page(Permission.REVIEW_VIEW)
def business_products(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Show every product of a business, and what the sync would change."""
    business = _business(account_id)
    context = {
        "business": business,
        "lines": product_overview.of_business(business),
        "changes": module_sync.preview(business),
        "may_set": access.allows(request.roles, Permission.ACCOUNT_MANAGE),
        "may_withdraw": access.allows(request.roles, Permission.PRODUCT_WITHDRAW),
    }
    return render(request, "apikeys/products/business.html", context)


@staff_page(Permission.ACCOUNT_MANAGE, methods=("POST",))
def sync(request: ConsoleRequest, account_id: str) -> HttpResponse:
    """Sync the modules of a business with its products."""
    changed = module_sync.sync(_business(account_id), by=request.user)
    messages.success(request, _synced(len(changed)))
    return redirect("apikeys:business_products", account_id)


@staff_page(Permission.ACCOUNT_MANAGE, step_up=True, methods=("GET", "POST"))
def set_module(request: ConsoleRequest, account_id: str, product: str) -> HttpResponse:
    """Show or hide a module of a business manually, or remove the manual setting."""
    business, found = _business(account_id), _product(product)
    setting = ModuleSetting.objects.of(business).filter(module=product).first()
    now = setting.hand if setting else ""
    form = HandSettingForm(posted(request), now=now)
    if form.is_valid():
        setting = attempt(form, lambda: _set(business, product, form, request)) or setting
        if not form.errors:
            messages.success(
                request,
                _("We have saved the setting of %(product)s for %(business)s.")
                % {"product": found.name, "business": business.name},
            )
            return redirect("apikeys:business_products", account_id)
    context = {"business": business, "product": found, "setting": setting, "form": form}
    return render(request, "apikeys/products/set_module.html", context, status=_status(form))


@staff_page(Permission.PRODUCT_WITHDRAW, step_up=True, methods=("GET", "POST"))
def withdraw_product(request: ConsoleRequest, account_id: str, product: str) -> HttpResponse:
    """Withdraw an approved product from a business, with a reason that it reads."""
    business, found = _business(account_id), _product(product)
    form = WithdrawForm(posted(request))
    if not form.is_bound:
        products.require_withdrawable(business, product)
    if form.is_valid():
        reason, by = form.cleaned_data["reason"], request.user
        if attempt(form, lambda: products.withdraw(business, product, reason=reason, by=by)):
            messages.success(
                request,
                _("You have withdrawn %(product)s from %(business)s.")
                % {"product": found.name, "business": business.name},
            )
            return redirect("apikeys:business_products", account_id)
    context = {"business": business, "product": found, "form": form}
    return render(request, "apikeys/products/withdraw.html", context, status=_status(form))


def _set(
    business: Business, module: str, form: HandSettingForm, request: ConsoleRequest
) -> ModuleSetting:
    hand, by = form.cleaned_data["hand"], request.user
    said = {"seen": form.cleaned_data["seen"], "reason": form.cleaned_data["reason"]}
    if hand == HandSetting.NONE:
        return module_settings.release(business, module, **said, by=by)
    return module_settings.set_by_hand(business, module, hand, **said, by=by)


def _status(form: HandSettingForm | WithdrawForm) -> int:
    return 422 if form.errors else 200


def _synced(changed: int) -> str:
    if not changed:
        return _("No changes. Every module matches its product’s approval.")
    return ngettext(
        "%(count)s module changed. The audit log has the details.",
        "%(count)s modules changed. The audit log has the details.",
        changed,
    ) % {"count": changed}


def _business(public_id: str) -> Business:
    return get_object_or_404(Business, public_id=public_id)


def _product(key: str) -> Product:
    if key not in PRODUCTS:
        raise Http404
    return PRODUCTS[key]
