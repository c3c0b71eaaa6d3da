"""Models of apikeys: grants, keys, their use, network requests, the request log, stages."""

from apikeys.models.api_key import ApiKey, KeyNotice, ProductUse
from apikeys.models.grant import Grant
from apikeys.models.network import NetworkRequest
from apikeys.models.request_log import RequestLog
from apikeys.models.staged_business import StagedBusiness

__all__ = [
    "ApiKey",
    "Grant",
    "KeyNotice",
    "NetworkRequest",
    "ProductUse",
    "RequestLog",
    "StagedBusiness",
]
