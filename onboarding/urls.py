"""Routes of onboarding."""

from django.urls import URLPattern

app_name = "onboarding"

urlpatterns: list[URLPattern] = []
