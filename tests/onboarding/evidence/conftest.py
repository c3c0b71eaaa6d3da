"""An application in review, its owner's client, and an uploaded file."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from onboarding.evidence.models import EvidenceFile
from onboarding.models import Application
from tests import factories
from tests.onboarding import answered
from tests.onboarding.evidence import documents


@pytest.fixture
def case() -> Application:
    return factories.a_reviewed_application(**answered.HIGH | answered.LISTED)


@pytest.fixture
def owner(case: Application) -> Client:
    return factories.signed_in(Client(), factories.owner_of(case.business))


@pytest.fixture
def upload(case: Application, owner: Client) -> Callable[..., Any]:
    """Upload a file through the form."""

    def send(data: bytes = documents.a_pdf(), name: str = "a.pdf", kind: str = "passport") -> Any:
        file = SimpleUploadedFile(name, data, content_type="application/pdf")
        address = reverse("onboarding:upload", args=[case.business.public_id])
        return owner.post(address, {"kind": kind, "file": file})

    return send


@pytest.fixture
def file(upload: Callable[..., Any]) -> EvidenceFile:
    assert upload().status_code == 302
    return EvidenceFile.objects.get()
