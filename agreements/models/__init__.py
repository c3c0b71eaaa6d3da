"""The tables of agreements."""

from agreements.models.acts import Decision, Receipt, SignatureAct
from agreements.models.events import PackEvent
from agreements.models.pack import Document, Pack, Revision

__all__ = ["Decision", "Document", "Pack", "PackEvent", "Receipt", "Revision", "SignatureAct"]
