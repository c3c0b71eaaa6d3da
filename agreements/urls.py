"""Routes of agreements."""

from django.urls import path

from agreements.views import verify

app_name = "agreements"

urlpatterns = [
    path("verify/", verify.verify, name="verify"),
]
