"""Home, search and theme."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from console.core import pages_above
from console.core.page_policies import PagePolicy, declared
from console.shell import search, themes
from console.shell.context import Frame
from console.shell.safe_redirects import way_back


@declared(PagePolicy("public"))
def home(request: HttpRequest) -> HttpResponse:
    """Redirect users to their work; show everybody else what this is."""
    frame = Frame(request)
    if frame.visitor is None:
        return render(request, "shell/home.html")
    if frame.visitor.staff_role and frame.items:
        return redirect(pages_above.address("staff_home"))
    if len(frame.visitor.places) == 1:
        return redirect(frame.visitor.places[0].url)
    if not (frame.visitor.places or frame.visitor.staff_role):
        return redirect("accounts:business_new")
    return render(request, "shell/places.html")


@declared(PagePolicy("person"))
def find(request: HttpRequest) -> HttpResponse:
    """Search by name or id; the palette asks for the same page's list alone.

    With `go`, as in links from an id, a single hit is opened at once.
    """
    words = request.GET.get("q", "")
    hits = search.find(request, words)
    if request.GET.get("go") and len(hits) == 1:
        return redirect(hits[0].url)
    part = "_hits" if request.GET.get("part") else "search"
    return render(request, f"shell/{part}.html", {"hits": hits, "words": words.strip()})


@declared(PagePolicy("public", ("POST",)))
def theme(request: HttpRequest) -> HttpResponse:
    """Save the theme, and redirect back."""
    response = redirect(way_back(request) or reverse("shell:home"))
    wanted = request.POST.get("theme", "")
    if wanted in themes.THEMES:
        themes.remember(response, wanted)
    return response
