"""Routes of agreements."""

from django.urls import URLPattern

app_name = "agreements"

urlpatterns: list[URLPattern] = []
