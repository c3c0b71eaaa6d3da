"""The demo's coffee shop on a host of its own, as a shop with a strict content security policy."""

from django.conf import settings
from django.http import HttpResponse

from api.hosted.host import OwnHostMiddleware

HOST = "shop.localhost"


class DemoShopMiddleware(OwnHostMiddleware):
    """The host of the demo's shop. Only with DEMO=1."""

    urls = "api.demo.shop_urls"

    def host(self) -> str:
        return HOST if settings.DEMO else ""

    def headers(self, response: HttpResponse) -> dict[str, str]:
        checkout = settings.CHECKOUT_ORIGIN
        policy = (
            f"default-src 'none'; script-src 'self' {checkout}; frame-src {checkout}; "
            "style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
            f"form-action 'self' {checkout}; base-uri 'none'; frame-ancestors 'none'"
        )
        return {"Content-Security-Policy": policy}
