"""URLs of the checkout settings, in the namespace `api`."""

from django.urls import path

from api.checkout import held_payment_views, settings_views

# Below the module's own page, so that the sidebar marks it.
_SETTINGS = "b/<str:business_id>/modules/checkout/settings/"
_HELD = (
    "b/<str:business_id>/modules/checkout/checkout-sessions/<str:session_id>"
    "/payments/<str:payment_id>/"
)
_ONE = f"{_SETTINGS}domains/<str:domain_id>/"

urlpatterns = [
    path(_SETTINGS, settings_views.settings_page, name="checkout_settings"),
    path(f"{_SETTINGS}domains/", settings_views.add_domain, name="add_domain"),
    path(f"{_ONE}verify/", settings_views.check_domain, name="check_domain"),
    path(f"{_ONE}token/", settings_views.renew_domain, name="renew_domain"),
    path(f"{_ONE}remove/", settings_views.remove_domain, name="remove_domain"),
    path(f"{_SETTINGS}localhost/", settings_views.allow_localhost, name="allow_localhost"),
    path(f"{_SETTINGS}logo/", settings_views.set_logo, name="set_logo"),
    path(f"{_SETTINGS}logo/remove/", settings_views.remove_logo, name="remove_logo"),
    path(f"{_HELD}accept/", held_payment_views.accept_payment, name="accept_payment"),
    path(f"{_HELD}return/", held_payment_views.return_payment, name="return_payment"),
    path(f"{_SETTINGS}logo.png", settings_views.logo_preview, name="logo_preview"),
]
