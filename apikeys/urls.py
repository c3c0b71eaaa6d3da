"""URLs of apikeys."""

from django.urls import include, path

from apikeys.allowlist import allowlist_views, network_request_views
from apikeys.exposure import exposure_views
from apikeys.grants import staff_views
from apikeys.keys import key_page_views, key_views
from apikeys.products import own_product_views, product_views
from apikeys.register import register_views
from apikeys.signing import signing_views
from apikeys.suspension import suspension_views

app_name = "apikeys"

_OURS = "b/<str:business_id>/"
_KEYS = f"{_OURS}keys/"
_KEY = f"{_KEYS}<str:key_id>/"
_NETWORKS = f"{_OURS}networks/<str:grant_id>/"
_GRANT = "grants/<str:grant_id>/"
_BUSINESS = "businesses/<str:account_id>/"
_PRODUCTS = f"{_BUSINESS}products/"

urlpatterns = [
    path(_KEYS, key_views.key_list, name="keys"),
    path(f"{_KEYS}new/", key_views.new_key, name="new_key"),
    path(_KEY, key_page_views.key_page, name="key"),
    path(f"{_KEY}name/", key_page_views.rename, name="rename_key"),
    path(f"{_KEY}scopes/", key_page_views.narrow, name="narrow_key"),
    path(f"{_KEY}rotate/", key_page_views.rotate, name="rotate_key"),
    path(f"{_KEY}rotate/end/", key_page_views.end_former, name="end_former_secret"),
    path(f"{_KEY}rotate/extend/", key_page_views.extend_former, name="extend_former_secret"),
    path(f"{_KEY}enable/", key_page_views.enable, name="enable_key"),
    path(f"{_KEY}stored/", key_views.stored, name="stored"),
    path(f"{_KEY}revoke/", key_views.revoke, name="revoke"),
    path(f"{_KEY}networks/", allowlist_views.edit_key, name="edit_key_networks"),
    path(f"{_OURS}networks/", allowlist_views.allowlists, name="allowlists"),
    path(_NETWORKS, allowlist_views.edit_business, name="edit_networks"),
    path(f"{_NETWORKS}ask/", allowlist_views.ask_network, name="ask_network"),
    path(f"{_KEYS}signing/<str:grant_id>/", signing_views.edit_signing, name="signing"),
    path("network-requests/", network_request_views.network_requests, name="network_requests"),
    path(
        "network-requests/<str:network_request_id>/",
        network_request_views.decide_network,
        name="decide_network",
    ),
    path("exposed-keys/", exposure_views.report, name="report_exposed"),
    path("grants/", staff_views.grant_list, name="grants"),
    path(_GRANT, staff_views.grant_page, name="grant"),
    path(f"{_GRANT}suspend/", staff_views.suspend, name="suspend"),
    path(f"{_GRANT}restore/", staff_views.restore, name="restore"),
    path("businesses/", register_views.register, name="businesses"),
    path(
        "businesses/account-manager/",
        register_views.set_several_managers,
        name="set_several_managers",
    ),
    path(_BUSINESS, register_views.business_page, name="business"),
    path(
        f"{_BUSINESS}account-manager/",
        register_views.set_account_manager,
        name="set_account_manager",
    ),
    path(f"{_BUSINESS}suspend/", suspension_views.suspend, name="suspend_business"),
    path(f"{_BUSINESS}restore/", suspension_views.restore, name="restore_business"),
    path(f"{_BUSINESS}close/", suspension_views.close, name="close_business"),
    path(f"{_OURS}products/", own_product_views.own_products, name="own_products"),
    path(f"{_OURS}products/request/", own_product_views.request_products, name="request_products"),
    path("products/", product_views.product_list, name="products"),
    path("products/sync/", product_views.sync_all, name="sync_all_modules"),
    path("products/<str:product>/", product_views.product_page, name="product"),
    path(_PRODUCTS, product_views.business_products, name="business_products"),
    path(f"{_PRODUCTS}sync/", product_views.sync, name="sync_modules"),
    path(f"{_PRODUCTS}<str:product>/by-hand/", product_views.set_module, name="set_module"),
    path(
        f"{_PRODUCTS}<str:product>/withdraw/",
        product_views.withdraw_product,
        name="withdraw_product",
    ),
    path("", include("apikeys.webhooks.urls")),
    path("", include("apikeys.going_live.urls")),
]
