"""URLs of sanctions screening, in the namespace `onboarding`."""

from django.urls import path

from onboarding.screening import list_views

urlpatterns = [path("review/sanctions-lists/", list_views.overview, name="sanctions_lists")]
