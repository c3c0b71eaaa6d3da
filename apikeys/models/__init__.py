"""The tables of apikeys: grants, keys and what is noted about them, networks, the request log."""

from apikeys.models.api_key import ApiKey, KeyNotice, ProductUse
from apikeys.models.grant import Grant
from apikeys.models.network import NetworkRequest
from apikeys.models.request_log import RequestLog

__all__ = ["ApiKey", "Grant", "KeyNotice", "NetworkRequest", "ProductUse", "RequestLog"]
