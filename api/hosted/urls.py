"""URLs of the checkout host, which serves nothing else."""

from django.urls import include, path

from api.checkout.logo_view import logo
from api.hosted import pages, state
from api.hosted.widget_script import widget_script
from console.shell.views import brand

_PAGES = [
    path("checkout/<str:session>", pages.session_page, name="session"),
    path("checkout/<str:session>/embed", pages.embed, name="embed"),
    path("checkout/<str:session>/state", state.state, name="state"),
    path("pay/tag/<str:tag>", pages.tag_page, name="tag"),
    path("brand.css", brand.sheet, name="brand_sheet"),
    path("logo/<str:sha256>.png", logo, name="logo"),
    path("widget/<int:version>/checkout.js", widget_script, name="widget"),
]
urlpatterns = [path("", include((_PAGES, "hosted")))]

handler400 = "api.hosted.errors.bad_request"
handler404 = "api.hosted.errors.not_found"
handler500 = "api.hosted.errors.broken"
