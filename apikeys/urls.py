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

urlpatterns = [
    path("b/<str:business_id>/keys/", key_views.key_list, name="keys"),
    path("b/<str:business_id>/keys/new/", key_views.new_key, name="new_key"),
    path("b/<str:business_id>/keys/<str:key_id>/", key_page_views.key_page, name="key"),
    path("b/<str:business_id>/keys/<str:key_id>/name/", key_page_views.rename, name="rename_key"),
    path("b/<str:business_id>/keys/<str:key_id>/scopes/", key_page_views.narrow, name="narrow_key"),
    path("b/<str:business_id>/keys/<str:key_id>/rotate/", key_page_views.rotate, name="rotate_key"),
    path(
        "b/<str:business_id>/keys/<str:key_id>/rotate/end/",
        key_page_views.end_former,
        name="end_former_secret",
    ),
    path(
        "b/<str:business_id>/keys/<str:key_id>/rotate/extend/",
        key_page_views.extend_former,
        name="extend_former_secret",
    ),
    path("b/<str:business_id>/keys/<str:key_id>/enable/", key_page_views.enable, name="enable_key"),
    path("b/<str:business_id>/keys/<str:key_id>/stored/", key_views.stored, name="stored"),
    path("b/<str:business_id>/keys/<str:key_id>/revoke/", key_views.revoke, name="revoke"),
    path(
        "b/<str:business_id>/keys/<str:key_id>/networks/",
        allowlist_views.edit_key,
        name="edit_key_networks",
    ),
    path("b/<str:business_id>/networks/", allowlist_views.allowlists, name="allowlists"),
    path(
        "b/<str:business_id>/networks/<str:grant_id>/",
        allowlist_views.edit_business,
        name="edit_networks",
    ),
    path(
        "b/<str:business_id>/networks/<str:grant_id>/ask/",
        allowlist_views.ask_network,
        name="ask_network",
    ),
    path(
        "b/<str:business_id>/keys/signing/<str:grant_id>/",
        signing_views.edit_signing,
        name="signing",
    ),
    path("network-requests/", network_request_views.network_requests, name="network_requests"),
    path(
        "network-requests/<str:network_request_id>/",
        network_request_views.decide_network,
        name="decide_network",
    ),
    path("exposed-keys/", exposure_views.report, name="report_exposed"),
    path("grants/", staff_views.grant_list, name="grants"),
    path("grants/<str:grant_id>/", staff_views.grant_page, name="grant"),
    path("grants/<str:grant_id>/suspend/", staff_views.suspend, name="suspend"),
    path("grants/<str:grant_id>/restore/", staff_views.restore, name="restore"),
    path("businesses/", register_views.register, name="businesses"),
    path("businesses/<str:account_id>/", register_views.business_page, name="business"),
    path(
        "businesses/<str:account_id>/account-manager/",
        register_views.set_account_manager,
        name="set_account_manager",
    ),
    path("businesses/<str:account_id>/suspend/", suspension_views.suspend, name="suspend_business"),
    path("businesses/<str:account_id>/restore/", suspension_views.restore, name="restore_business"),
    path("businesses/<str:account_id>/close/", suspension_views.close, name="close_business"),
    path("b/<str:business_id>/products/", own_product_views.own_products, name="own_products"),
    path(
        "b/<str:business_id>/products/request/",
        own_product_views.request_products,
        name="request_products",
    ),
    path("products/", product_views.product_list, name="products"),
    path("products/sync/", product_views.sync_all, name="sync_all_modules"),
    path("products/<str:product>/", product_views.product_page, name="product"),
    path(
        "businesses/<str:account_id>/products/",
        product_views.business_products,
        name="business_products",
    ),
    path("businesses/<str:account_id>/products/sync/", product_views.sync, name="sync_modules"),
    path(
        "businesses/<str:account_id>/products/<str:product>/by-hand/",
        product_views.set_module,
        name="set_module",
    ),
    path(
        "businesses/<str:account_id>/products/<str:product>/withdraw/",
        product_views.withdraw_product,
        name="withdraw_product",
    ),
    path("", include("apikeys.webhooks.urls")),
    path("", include("apikeys.going_live.urls")),
]
