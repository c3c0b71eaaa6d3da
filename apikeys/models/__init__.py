"""Models of apikeys: grants, keys, their use and notices, network requests, the request log."""

from apikeys.models.api_key import ApiKey, KeyNotice, ProductUse
from apikeys.models.grant import Grant
from apikeys.models.network import NetworkRequest
from apikeys.models.request_log import RequestLog

__all__ = ["ApiKey", "Grant", "KeyNotice", "NetworkRequest", "ProductUse", "RequestLog"]
