"""Models of going live."""

from apikeys.going_live.models.condition import FirstSandboxCall, UnmetCondition
from apikeys.going_live.models.request import GoLiveRequest

__all__ = ["FirstSandboxCall", "GoLiveRequest", "UnmetCondition"]
