"""URLs of the shell."""

from django.urls import path

from console.shell.views import brand, demo_mail, pages

app_name = "shell"
urlpatterns = [
    path("", pages.home, name="home"),
    path("search/", pages.find, name="search"),
    path("brand.css", brand.sheet, name="brand_sheet"),
    path("brand.svg", brand.logo, name="brand_logo"),
    path("theme/", pages.theme, name="theme"),
    path("demo/mail/", demo_mail.inbox, name="mail"),
    path("demo/mail/<str:mail_id>/", demo_mail.message, name="mail_message"),
]
