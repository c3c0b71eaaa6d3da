"""Routes of apikeys."""

from django.urls import path

from apikeys import views

app_name = "apikeys"

urlpatterns = [
    path("b/<str:business_id>/keys/", views.key_list, name="keys"),
    path("b/<str:business_id>/keys/new/", views.new_key, name="new_key"),
    path("b/<str:business_id>/keys/<str:key_id>/stored/", views.stored, name="stored"),
    path("b/<str:business_id>/keys/<str:key_id>/revoke/", views.revoke, name="revoke"),
]
