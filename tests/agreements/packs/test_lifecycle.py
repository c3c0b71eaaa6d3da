"""The lifecycle of a pack in Python calls: rendered, read, signed, approved, sealed once."""

import io
import zipfile

import pytest

from agreements.lifecycle import DocumentStatus, PackStatus
from agreements.models import Pack, PackEvent
from agreements.packs import packs
from agreements.sealing import execution
from console.audit import heads
from console.audit.models import Channel, PublishedHead
from console.catalogue import products
from console.core import blobs, digests
from onboarding.lifecycle import ApplicationStatus
from tests import factories
from tests.audit.test_log import write


@pytest.mark.django_db(transaction=True)
def test_it_is_executed_with_everything_sealed_and_stored():
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    factories.settle()
    pack = Pack.objects.select_related("application", "business").get(pk=pack.pk)

    assert pack.application.status == ApplicationStatus.EXECUTED
    documents = packs.documents_of(pack)
    assert {one.code for one in documents} >= {"CVR", "ERC", "MSA", "FEE", "DPA", "AUP", "AUT"}
    for document in documents:
        assert document.status == DocumentStatus.IN_FORCE
        sealed, unsigned = blobs.get(document.sealed_sha256), blobs.get(document.unsigned_sha256)
        assert sealed.startswith(unsigned)
        assert len(sealed) > len(unsigned)
    manifest = digests.parse(blobs.get(pack.manifest_sha256))
    assert [row["sealed_sha256"] for row in manifest["sealed"]] == [
        one.sealed_sha256 for one in documents
    ]
    sealing = PackEvent.objects.filter(pack=pack).order_by("seq")[manifest["events"]["count"] - 1]
    assert sealing.hash == manifest["events"]["head"]
    assert {"balances", "webhooks"} <= set(products.approved(pack.business))


@pytest.mark.django_db(transaction=True)
def test_the_end_of_the_log_in_its_bundle_is_kept_as_a_row_and_as_a_record(monkeypatch):
    execute = execution._execute
    # More entries are logged between creating and storing the bundle.
    monkeypatch.setattr(execution, "_execute", lambda *made: (write(1), execute(*made)))
    pack = factories.a_pack(at=PackStatus.COUNTERSIGNING)
    execution.seal(pack)

    with zipfile.ZipFile(io.BytesIO(blobs.get(factories.fresh_pack(pack).bundle_sha256))) as bundle:
        told = digests.parse(bundle.read(f"{pack.number}/audit-head.json"))
    row = PublishedHead.objects.get(channel=Channel.BUNDLE, about=pack.number)
    (said,), _ = heads.RECORDS.all()
    assert (row.count, row.hash) == (told["count"], told["hash"])
    assert (said["about"], said["count"], said["hash"]) == (pack.number, row.count, row.hash)


@pytest.mark.django_db(transaction=True)
def test_sealing_again_changes_nothing():
    pack = factories.a_pack(at=PackStatus.EXECUTED)
    before = Pack.objects.values("manifest_sha256", "fence").get(pk=pack.pk)
    execution.seal(pack)
    assert Pack.objects.values("manifest_sha256", "fence").get(pk=pack.pk) == before
