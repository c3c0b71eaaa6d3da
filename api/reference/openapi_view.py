"""The public addresses of the contract and of the collection that is made from it."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition

from api.reference import openapi, postman
from console.accounts.page_access import public_page


@public_page()
@gzip_page
@cache_control(public=True, no_cache=True)
@condition(etag_func=lambda request: openapi.etag())
def contract(request: HttpRequest) -> HttpResponse:
    """Return the OpenAPI document of the versioned family."""
    return HttpResponse(openapi.document(), content_type="application/json")


@public_page()
@gzip_page
def postman_collection(request: HttpRequest) -> HttpResponse:
    """Answer the same operations as a Postman collection, to download."""
    name = 'attachment; filename="business-payments.postman_collection.json"'
    return HttpResponse(
        postman.collection(),
        content_type="application/json",
        headers={"Content-Disposition": name},
    )
