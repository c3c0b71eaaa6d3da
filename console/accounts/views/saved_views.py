"""Save a view of a list, and rename and delete one's own views."""

from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from console.accounts import saved_views
from console.accounts.http import ConsoleRequest
from console.accounts.models import SavedView
from console.accounts.models.folded import NameOrder
from console.accounts.page_access import staff_page
from console.accounts.roles import Permission
from console.shell.forms import NameField, attempt


class ViewForm(forms.Form):
    """A view's name."""

    name = NameField(
        label=gettext_lazy("Name"),
        max_length=60,
        error_messages={"required": gettext_lazy("Give the view a name.")},
    )


class NewViewForm(ViewForm):
    """A view's name, its list, and the filters that the list showed."""

    module = forms.CharField(max_length=30, widget=forms.HiddenInput)
    query = forms.CharField(max_length=1000, widget=forms.HiddenInput)


@staff_page(Permission.REVIEW_VIEW, methods=("POST",))
def save_view(request: ConsoleRequest) -> HttpResponse:
    """Save the filters of a list under a name."""
    form = NewViewForm(request.POST)
    if form.is_valid():
        said = form.cleaned_data
        view = attempt(form, lambda: saved_views.save(request.user, **said, by=request.user))
        if view is not None:
            messages.success(request, _("The view “%(name)s” is saved.") % {"name": view.name})
            return HttpResponseRedirect(saved_views.url_of(view))
    return _page(request, form)


@staff_page(Permission.REVIEW_VIEW)
def views(request: ConsoleRequest) -> HttpResponse:
    """Show one's own views, to rename and delete them."""
    return _page(request)


@staff_page(Permission.REVIEW_VIEW, methods=("POST",))
def change_view(request: ConsoleRequest, view_id: str) -> HttpResponse:
    """Rename a view of one's own, or delete it if that button was pressed."""
    view = get_object_or_404(SavedView, person=request.user, public_id=view_id)
    form = ViewForm(request.POST)
    if "delete" in request.POST:
        saved_views.delete(view, by=request.user)
        messages.success(request, _("The view is deleted."))
        return redirect("accounts:views")
    rename = partial(saved_views.rename, view, by=request.user)
    if form.is_valid() and attempt(form, lambda: rename(**form.cleaned_data)) is not None:
        messages.success(request, _("The view has its new name."))
        return redirect("accounts:views")
    return _page(request, form)


def _page(request: ConsoleRequest, form: forms.Form | None = None) -> HttpResponse:
    own = SavedView.objects.filter(person=request.user).order_by("module", NameOrder("name"), "pk")
    rows = [(one, saved_views.title_of(one), saved_views.url_of(one)) for one in own]
    status = 422 if form is not None else 200
    return render(request, "accounts/views.html", {"rows": rows, "form": form}, status=status)
