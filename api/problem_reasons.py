"""Error reasons and fault codes, which add detail to a problem's code."""

RESTRICTED = "restricted_place"
# By problem code. Never rename a reason, because clients branch on it.
REASONS: dict[str, dict[str, str]] = {
    "CREDENTIAL_EXPIRED": {
        "expired": "The key has expired.",
        "rotated": "The key was rotated, and this is its former secret.",
        "revoked": "The key was revoked.",
        "disabled_unused": "We disabled the key because nobody used it for 90 days.",
    },
    "IP_NOT_ALLOWED": {
        "business": "The address is not on the allowlist of your business.",
        "key": "The address is not on the allowlist of the key.",
        "missing": "Live keys need an allowlist, and you have none.",
    },
    "SIGNATURE_INVALID": {
        "missing": "Your business requires signed calls. Add the header Service-Signature.",
        "unreadable": "Send Service-Signature as t=<unix seconds>,n=<nonce>,v1=<64 hex digits>.",
        "wrong": (
            "The signature does not match this request. Sign the method, path, query and body"
            " exactly as you send them."
        ),
    },
    "REPLAY_DETECTED": {
        "too_old": "The time t is more than 300 seconds behind our clock.",
        "too_early": "The time t is more than 300 seconds ahead of our clock.",
        "nonce_used": "This nonce was already used. Use a new one for every request.",
    },
    "PRODUCT_NOT_ENABLED": {"suspended": "Your API access is suspended."},
    "COMPLIANCE_BLOCKED": {
        "business_suspended": "Compliance has suspended your business.",
        RESTRICTED: "We cannot offer this service for this country or region.",
    },
    "NO_PROVIDER_ENABLED": {
        "not_connected": (
            "We have no provider for this product in this environment yet. Contact your account"
            " manager."
        ),
        "currency_not_available": "This currency or asset is not available to your business.",
        "no_corridor": "We cannot pay there. GET /transfers/corridors lists where we can.",
        "amount_not_carried": (
            "We cannot pay this amount there. GET /transfers/corridors shows the limits."
        ),
        "network_not_available": "This asset is not available on this network.",
        "no_rate": "We have no rate for these two currencies.",
        "test_value": "The amount is a test value of the sandbox.",
    },
    "VALIDATION_ERROR": {
        "version_sunset": "This version of the API has ended. Use a newer one.",
        "already_done": "The object already has the status that you asked for.",
        "wrong_status": "The status of the object does not allow this.",
        "card_not_active": "You can pay only with an active card.",
        "account_not_active": "Money can arrive only on an active or frozen account.",
        "account_holds_money": "You cannot close an account that holds money.",
        "frozen_by_another": "Only the party that froze the account can unfreeze it.",
        "payment_not_settled": "You can refund only a settled payment.",
        "payment_not_held": "You can accept or return only money that is held.",
        "payment_refunded": "You have refunded the payment, so the provider cannot reverse it.",
        "reference_in_use": "The provider reference belongs to another deposit.",
        "not_released": "Payments by service tag are not available yet.",
        "balance_full": "The amount exceeds what a balance can hold.",
        "endpoint_paused": "The endpoint is paused. Resume it first.",
        "endpoint_stopped": "Our staff stopped the endpoint. To resume it, write to us.",
        "endpoint_removed": "The endpoint was removed.",
        "weekly_check_running": "The weekly check of the endpoint is running. Try again later.",
        "replay_running": "A replay of the endpoint is running. Wait until it finishes.",
        "event_deleted": "We no longer keep the event.",
        "too_many": "You have as many endpoints as you can have. Remove one.",
        "business": "Your business is not active.",
        "grant": "Your API access is not open.",
        "restricted_list_unreadable": "We cannot check countries at the moment. Try again later.",
    },
}

# Possible values of `errors[].code`.
FAULT_CODES = (
    "address_refused", "business", "cut_short", "endpoint_refused", "grant", "hidden_character",
    "holds_a_key", "is_null", "missing", "no_length", "not_a_number", "not_an_object",
    "not_as_quoted", "not_found", "not_https", "not_json", "one_of_two", "other_environment",
    "out_of_range", "repeated", "replay_refused", RESTRICTED, "too_deep", "too_large",
    "too_long", "too_many", "too_short",
    "unknown_cursor", "unknown_host", "unknown_member", "unknown_parameter", "unknown_value",
    "unknown_version", "unreadable", "unwritable", "version_sunset", "wrong_country",
    "wrong_shape", "wrong_type",
)  # fmt: skip
