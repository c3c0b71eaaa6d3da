"""URLs of webhooks, in the namespace `apikeys`."""

from django.urls import path

from apikeys.webhooks.pages import (
    delivery_views,
    endpoint_change_views,
    endpoint_views,
    replay_views,
    staff_views,
)

_OURS = "b/<str:business_id>/webhooks/"
_ONE = f"{_OURS}<str:endpoint_id>/"
_DELIVERY = f"{_ONE}deliveries/<str:delivery_id>/"
_OF_STAFF = "businesses/<str:account_id>/webhooks/"

urlpatterns = [
    path(_OURS, endpoint_views.endpoint_list, name="webhooks"),
    path(f"{_OURS}new/<str:environment>/", endpoint_views.new_endpoint, name="new_endpoint"),
    path(_ONE, endpoint_views.endpoint_page, name="endpoint"),
    path(f"{_ONE}edit/", endpoint_change_views.edit, name="edit_endpoint"),
    path(f"{_ONE}address/", endpoint_change_views.move, name="move_endpoint"),
    path(f"{_ONE}pause/", endpoint_change_views.pause, name="pause_endpoint"),
    path(f"{_ONE}resume/", endpoint_change_views.resume, name="resume_endpoint"),
    path(f"{_ONE}secret/", endpoint_change_views.rotate, name="rotate_secret"),
    path(f"{_ONE}secret/end/", endpoint_change_views.end_overlap, name="end_overlap"),
    path(f"{_ONE}verify/", endpoint_change_views.verify, name="verify_endpoint"),
    path(f"{_ONE}ping/", endpoint_change_views.ping, name="ping_endpoint"),
    path(f"{_ONE}remove/", endpoint_change_views.remove, name="remove_endpoint"),
    path(f"{_ONE}replay/", replay_views.replay, name="replay"),
    path(f"{_ONE}replay/cancel/", replay_views.cancel_replay, name="cancel_replay"),
    path(f"{_ONE}deliveries/", delivery_views.delivery_list, name="deliveries"),
    path(_DELIVERY, delivery_views.delivery_page, name="delivery"),
    path(f"{_DELIVERY}resend/", delivery_views.resend, name="resend"),
    path(_OF_STAFF, staff_views.staff_endpoints, name="staff_endpoints"),
    path(f"{_OF_STAFF}<str:endpoint_id>/", staff_views.stop_or_lift, name="stop_endpoint"),
]
