"""Pages that show the demo's e-mails; a 404 unless DEMO=1."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from console.core.page_policies import PagePolicy, declared
from console.shell import keyset_pages
from console.shell.models import DemoMail


@declared(PagePolicy("public"))
def inbox(request: HttpRequest) -> HttpResponse:
    _only_in_the_demo()
    mails = DemoMail.objects.all()
    to = request.GET.get("to", "").replace("\x00", "").strip()
    found = mails.filter(to__icontains=to) if to else mails
    page = keyset_pages.page_of(found, "-sent_at", request.GET.get("after", ""))
    return render(request, "shell/mail.html", {"page": page, "to": to})


@declared(PagePolicy("public"))
def message(request: HttpRequest, mail_id: str) -> HttpResponse:
    _only_in_the_demo()
    mail = get_object_or_404(DemoMail, public_id=mail_id)
    return render(request, "shell/mail_message.html", {"mail": mail})


def _only_in_the_demo() -> None:
    if not settings.DEMO:
        raise Http404
