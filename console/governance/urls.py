"""URLs of the governance pages."""

from django.urls import path

from console.governance import views

app_name = "governance"

urlpatterns = [
    path("verify/heads/", views.heads, name="heads"),
    path("audit/", views.log, name="log"),
    path("work/", views.work, name="work"),
    path("work/try-again/", views.try_again, name="try_again"),
]
