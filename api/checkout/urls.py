"""URLs of the checkout settings, in the namespace `api`."""

from django.urls import path

from api.checkout import settings_views

# Below the module's own page, so that the sidebar marks it.
_SETTINGS = "b/<str:business_id>/modules/checkout/settings/"
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
    path(f"{_SETTINGS}logo.png", settings_views.logo_preview, name="logo_preview"),
]
