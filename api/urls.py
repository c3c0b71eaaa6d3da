"""Console pages about the API. The API's own routes are in `api/v1/urls.py`."""

from django.urls import include, path

from api import provider_views
from api.demo import receiver_views
from api.homes import home_views
from api.live_payments import live_payment_views, screening_views
from api.modules import module_views
from api.opt_in import opt_in_views
from api.reference import documentation_pages, openapi_view
from api.troubleshooting import explain_views, log_views

app_name = "api"

urlpatterns = [
    # Before the routes of modules; no resource is called settings.
    path("", include("api.checkout.urls")),
    path("b/<str:business_id>/", home_views.business_home, name="home"),
    path("home/", home_views.staff_home, name="staff_home"),
    path("b/<str:business_id>/log/", log_views.log, name="log"),
    # Before the routes of calls; no call ID has this value.
    path("b/<str:business_id>/log/explain/", explain_views.explain_refusal, name="explain"),
    path("b/<str:business_id>/log/<str:request_id>/", log_views.logged_call, name="logged_call"),
    path("businesses/<str:account_id>/log/", log_views.staff_log, name="staff_log"),
    path(
        "businesses/<str:account_id>/log/explain/",
        explain_views.staff_explain_refusal,
        name="staff_explain",
    ),
    path(
        "businesses/<str:account_id>/log/<str:request_id>/",
        log_views.staff_logged_call,
        name="staff_logged_call",
    ),
    path("b/<str:business_id>/modules/<slug:module>/", module_views.module, name="module"),
    path(
        "b/<str:business_id>/modules/<slug:module>/<slug:resource>/",
        module_views.module_resource,
        name="module_resource",
    ),
    path(
        "b/<str:business_id>/modules/<slug:module>/<slug:resource>/<str:row_id>/",
        module_views.module_row,
        name="module_row",
    ),
    path(
        "businesses/<str:account_id>/currencies/<str:currency>/",
        opt_in_views.currency_page,
        name="currency",
    ),
    path("businesses/<str:account_id>/limits/", live_payment_views.live_limits, name="live_limits"),
    path("payments-to-check/", screening_views.payments_to_check, name="payments_to_check"),
    path(
        "payments-to-check/<str:screening_id>/",
        screening_views.check_payment,
        name="check_payment",
    ),
    path("live/", live_payment_views.live_payments, name="live_payments"),
    path("live/<str:object_id>/ask/", live_payment_views.ask_again, name="ask_again"),
    path("live/differences/<str:break_id>/", live_payment_views.close_break, name="close_break"),
    path("providers/<slug:name>/events", provider_views.receive_event, name="provider_event"),
    path("demo/receiver/", receiver_views.received, name="demo_receiver"),
    path("demo/receiver/in/", receiver_views.receive, name="demo_receive"),
    path("docs/", documentation_pages.guide, name="docs"),
    path("docs/reference/<slug:product>/", documentation_pages.product, name="product"),
    path("docs/sandbox/", documentation_pages.sandbox, name="sandbox"),
    path("docs/events/", documentation_pages.events, name="events"),
    path("docs/versions/", documentation_pages.version_list, name="versions"),
    path("docs/search/", documentation_pages.search, name="docs_search"),
    path("docs/openapi.json", openapi_view.contract, name="openapi"),
    path("docs/postman.json", openapi_view.postman_collection, name="postman"),
    path("docs/signing/", documentation_pages.signing, name="signing"),
    path("docs/checkout/", documentation_pages.checkout, name="checkout_guide"),
    path("docs/webhooks/", documentation_pages.webhooks, name="webhooks_guide"),
    path("docs/webhooks/<str:file>", documentation_pages.verifier, name="verifier"),
    path("docs/problems/", documentation_pages.problems, name="problems"),
    # Without a trailing slash, because this exact URL is the `type` of a problem.
    path("docs/problems/<slug:slug>", documentation_pages.problem, name="problem"),
]
