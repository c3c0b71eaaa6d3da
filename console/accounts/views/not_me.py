"""The “This is not me” page, linked from every e-mail that somebody else caused."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from console.accounts import recipients
from console.accounts.actors import RECIPIENT
from console.accounts.page_access import public_page


@public_page(methods=("GET", "POST"))
def not_me(request: HttpRequest, token: str) -> HttpResponse:
    """Ask before stopping e-mails, because e-mail scanners follow links."""
    recipients.read(token)
    if request.method == "POST":
        recipients.stop(token, by=RECIPIENT)
    return render(request, "accounts/not_me.html", {"done": request.method == "POST"})
