"""Routes of apikeys."""

from django.urls import path

from apikeys.grants import staff_views
from apikeys.keys import key_views
from apikeys.suspension import suspension_views

app_name = "apikeys"

urlpatterns = [
    path("b/<str:business_id>/keys/", key_views.key_list, name="keys"),
    path("b/<str:business_id>/keys/new/", key_views.new_key, name="new_key"),
    path("b/<str:business_id>/keys/<str:key_id>/stored/", key_views.stored, name="stored"),
    path("b/<str:business_id>/keys/<str:key_id>/revoke/", key_views.revoke, name="revoke"),
    path("grants/", staff_views.grant_list, name="grants"),
    path("grants/<str:grant_id>/", staff_views.grant_page, name="grant"),
    path("grants/<str:grant_id>/suspend/", staff_views.suspend, name="suspend"),
    path("grants/<str:grant_id>/restore/", staff_views.restore, name="restore"),
    path(
        "businesses/<str:business_id>/suspend/", suspension_views.suspend, name="suspend_business"
    ),
    path(
        "businesses/<str:business_id>/restore/", suspension_views.restore, name="restore_business"
    ),
    path("businesses/<str:business_id>/close/", suspension_views.close, name="close_business"),
]
