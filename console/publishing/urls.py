"""URLs of the versions page."""

from django.urls import path

from console.publishing import publishing_views

app_name = "publishing"

urlpatterns = [
    path("versions/", publishing_views.versions, name="versions"),
    path("versions/propose/", publishing_views.propose, name="propose"),
    path(
        "versions/<str:publication_id>/put-in-use/", publishing_views.put_in_use, name="put_in_use"
    ),
    path("versions/<str:publication_id>/withdraw/", publishing_views.withdraw, name="withdraw"),
]
