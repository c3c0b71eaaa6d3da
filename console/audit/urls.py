"""Routes of the audit log."""

from django.urls import URLPattern

app_name = "audit"

urlpatterns: list[URLPattern] = []
