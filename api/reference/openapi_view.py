"""Public URL of the OpenAPI contract."""

from django.http import HttpRequest, HttpResponse

from api.reference import openapi
from console.accounts.page_access import public_page


@public_page()
def contract(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI document of the versioned family."""
    return HttpResponse(openapi.document(), content_type="application/json")
