"""Models of agreements."""

from agreements.models.acts import Decision, Receipt, SignatureAct
from agreements.models.company_details import CompanyDetails
from agreements.models.events import PackEvent
from agreements.models.executed_file import ExecutedFile
from agreements.models.pack import Document, Pack, Revision
from agreements.models.seal_check import SealCheck

__all__ = [
    "CompanyDetails",
    "Decision",
    "Document",
    "ExecutedFile",
    "Pack",
    "PackEvent",
    "Receipt",
    "Revision",
    "SealCheck",
    "SignatureAct",
]
