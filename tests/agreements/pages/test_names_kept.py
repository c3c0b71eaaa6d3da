"""Signatures and approvals keep the name that the user had at that time."""

from django.test import Client
from django.urls import reverse

from agreements.approvals import approvals
from agreements.lifecycle import PackStatus
from console.accounts.models import User
from console.core import blobs
from tests import factories
from tests.agreements.rendering.pdf import words


def renamed(person, name):
    client = factories.signed_in(Client(), person)
    given = {"name": name, "time_zone": "UTC", "work_mail": "at_once"}
    assert client.post(reverse("accounts:change_details"), given).status_code == 302
    return client


def test_a_name_changed_between_signing_and_sealing_is_in_no_document():
    pack = factories.a_pack(at=PackStatus.IN_APPROVAL)
    client = renamed(factories.owner_of(pack.business), "Mara Newname")
    page = client.get(reverse("agreements:pack", args=[pack.business.public_id]))
    assert "<dd>Mara Ellwood</dd>" in page.content.decode()

    pack = factories.walked(pack, PackStatus.APPROVED)
    approver = approvals.decisions(pack).order_by("pk")[0].person
    was = approver.name
    renamed(approver, "Approver Newname")
    pack = factories.walked(pack, PackStatus.EXECUTED)
    said = words(blobs.get(pack.certificate_sha256))
    assert User.objects.filter(name__endswith="Newname").count() == 2
    assert "Mara Ellwood" in said
    assert was in said
    assert "Newname" not in said
