"""URLs of the demo's coffee shop, on its own host."""

from django.urls import include, path

from api.demo import shop_views

_PAGES = [
    path("", shop_views.shop_page, name="page"),
    path("orders/", shop_views.order, name="order"),
    path("orders/<str:session>/pay/", shop_views.pay, name="pay"),
]
urlpatterns = [path("", include((_PAGES, "shop")))]

handler400 = "api.hosted.errors.bad_request"
handler404 = "api.hosted.errors.not_found"
handler500 = "api.hosted.errors.broken"
