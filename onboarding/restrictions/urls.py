"""URLs of the restricted list, for staff."""

from django.urls import path

from onboarding.restrictions import restriction_views

app_name = "restrictions"

urlpatterns = [
    path("restricted/", restriction_views.entries, name="entries"),
    path("restricted/proposed/", restriction_views.proposed, name="proposed"),
    path("restricted/change/", restriction_views.change, name="change"),
]
