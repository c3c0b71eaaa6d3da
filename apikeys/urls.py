"""Routes of apikeys."""

from django.urls import path

from apikeys import staff, views

app_name = "apikeys"

urlpatterns = [
    path("b/<str:business_id>/keys/", views.key_list, name="keys"),
    path("b/<str:business_id>/keys/new/", views.new_key, name="new_key"),
    path("b/<str:business_id>/keys/<str:key_id>/stored/", views.stored, name="stored"),
    path("b/<str:business_id>/keys/<str:key_id>/revoke/", views.revoke, name="revoke"),
    path("grants/", staff.grant_list, name="grants"),
    path("grants/<str:grant_id>/", staff.grant_page, name="grant"),
    path("grants/<str:grant_id>/suspend/", staff.suspend, name="suspend"),
    path("grants/<str:grant_id>/restore/", staff.restore, name="restore"),
]
