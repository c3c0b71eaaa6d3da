"""The widget's script, at an address for each version."""

from django.http import Http404, HttpRequest, HttpResponse

from api.checkout.widget import SCRIPTS
from console.accounts.page_access import public_page

HEADERS = {
    # Browsers compare a script with its `integrity` only if its host allows any site to read it.
    "Access-Control-Allow-Origin": "*",
    "Cache-Control": "public, max-age=31536000, immutable",
    "Cross-Origin-Resource-Policy": "cross-origin",
}


@public_page(by_program=True)
def widget_script(request: HttpRequest, version: int) -> HttpResponse:
    """Return a version of the script, which never changes."""
    if version not in SCRIPTS:
        raise Http404
    return HttpResponse(SCRIPTS[version], "text/javascript; charset=utf-8", headers=HEADERS)
