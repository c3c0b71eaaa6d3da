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
        "card_refused": "No issuer issues this card to this person.",
        "currency_not_available": "This currency or asset is not available to your business.",
        "no_corridor": "We cannot pay there. GET /transfers/corridors lists where we can.",
        "amount_not_carried": (
            "We cannot pay this amount there. GET /transfers/corridors shows the limits."
        ),
        "network_not_available": "This asset is not available on this network.",
        "no_rate": "We have no rate for these two currencies.",
        "test_value": "The amount is a test value of the sandbox.",
    },
    "IDEMPOTENCY_KEY_REUSED": {
        "reference_used": "You used this reference for another order. Send a new reference."
    },
    "QUOTE_EXPIRED": {
        "quote_expired": "The quote has expired. Request a new one.",
        "quote_used": "The quote was already used. Request a new one.",
        "offer_expired": "The offer has expired. Search for flights again.",
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

_CONFLICTS = REASONS["VALIDATION_ERROR"]
_NO_PROVIDER = REASONS["NO_PROVIDER_ENABLED"]

# Possible values of `errors[].code`, and what each means.
FAULT_CODES: dict[str, str] = {
    "address_refused": "A webhook endpoint cannot have this address.",
    "amount_not_carried": _NO_PROVIDER["amount_not_carried"],
    "business": _CONFLICTS["business"],
    "currency_not_available": _NO_PROVIDER["currency_not_available"],
    "cut_short": "The body ended before its end.",
    "endpoint_refused": "A webhook endpoint cannot have this value, or not beside your others.",
    "grant": _CONFLICTS["grant"],
    "hidden_character": "The text contains a character that a reader cannot see.",
    "holds_a_key": "The request contains the secret of a key outside of its header.",
    "is_null": "The field cannot be null.",
    "missing": "The field is required.",
    "network_not_available": _NO_PROVIDER["network_not_available"],
    "card_refused": _NO_PROVIDER["card_refused"],
    "no_corridor": _NO_PROVIDER["no_corridor"],
    "no_length": "The body was sent in chunks, without its length.",
    "no_rate": _NO_PROVIDER["no_rate"],
    "not_a_number": "The Content-Length is not a number.",
    "not_an_object": "The body is not a JSON object.",
    "not_as_quoted": "The value differs from that of the quote.",
    "not_found": "There is no object with this ID.",
    "not_https": "The call did not use https.",
    "not_json": "The body is not valid JSON, or is not declared as JSON.",
    "one_of_two": "Send exactly one of two fields.",
    "other_environment": "The object belongs to the other environment.",
    "out_of_range": "The value is too small, too large, too early or too late.",
    "over_limit": "The amount exceeds a limit of your business. The message says what is left.",
    "reference_used": "Another order has this reference.",
    "repeated": "The field or parameter was sent more than once.",
    "replay_refused": "We cannot replay these events.",
    RESTRICTED: REASONS["COMPLIANCE_BLOCKED"][RESTRICTED],
    "test_value": _NO_PROVIDER["test_value"],
    "too_deep": "The body is nested too deeply.",
    "too_large": "The body is too large.",
    "too_long": "The text, list or address is too long.",
    "too_many": _CONFLICTS["too_many"],
    "too_short": "The text or list is too short or empty.",
    "unknown_cursor": "The cursor is not one of this list.",
    "unknown_host": "The Host header does not name the API.",
    "unknown_member": "The operation does not have this field.",
    "unknown_parameter": "The operation does not have this parameter.",
    "unknown_value": "The value is not one of the allowed ones.",
    "unknown_version": "There is no such version of the API.",
    "unreadable": "We cannot read this part of the request.",
    "unwritable": "The body contains a value that JSON output cannot represent.",
    "version_sunset": _CONFLICTS["version_sunset"],
    "wrong_country": "The value belongs to another country.",
    "wrong_shape": "The value has the wrong format.",
    "wrong_type": "The value has the wrong JSON type.",
}
