"""Routes of apikeys."""

from django.urls import URLPattern

app_name = "apikeys"

urlpatterns: list[URLPattern] = []
