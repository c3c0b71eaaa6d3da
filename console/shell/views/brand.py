"""The stylesheet and logo of the company that runs the console."""

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control

from console.core.page_policies import PagePolicy, declared
from console.shell import brand

# Their addresses change with their content.
_kept = cache_control(public=True, max_age=365 * 24 * 3600, immutable=True)


@declared(PagePolicy("public"))
@_kept
def sheet(request: HttpRequest) -> HttpResponse:
    """Serve the colour."""
    return _served(brand.sheet(), "text/css")


@declared(PagePolicy("public"))
@_kept
def logo(request: HttpRequest) -> HttpResponse:
    """Serve the logo."""
    return _served(brand.logo(), "image/svg+xml")


def _served(content: str, media_type: str) -> HttpResponse:
    if not content:
        raise Http404
    return HttpResponse(content, content_type=media_type)
