"""URLs of going live, in the namespace `apikeys`."""

from django.urls import path

from apikeys.going_live import business_views, staff_views

_OURS = "b/<str:business_id>/go-live/"
_OF_STAFF = "go-live-requests/"

urlpatterns = [
    path(_OURS, business_views.go_live, name="go_live"),
    path(f"{_OURS}ask/", business_views.ask, name="ask_live"),
    path(
        f"{_OURS}<str:go_live_request_id>/withdraw/", business_views.withdraw, name="withdraw_live"
    ),
    path(f"{_OURS}<str:go_live_request_id>/confirm/", business_views.confirm, name="confirm_live"),
    path(_OF_STAFF, staff_views.request_list, name="go_live_requests"),
    path(f"{_OF_STAFF}<str:go_live_request_id>/", staff_views.request_page, name="go_live_request"),
    path(f"{_OF_STAFF}<str:go_live_request_id>/propose/", staff_views.propose, name="propose_live"),
    path(f"{_OF_STAFF}<str:go_live_request_id>/decide/", staff_views.decide, name="decide_live"),
]
