"""With scripts, only the fingerprint leaves the reader's device unless they choose otherwise."""

import pytest

from agreements.models import Pack
from agreements.packs import packs
from console.core import blobs
from tests.browser_runs.commits import committed

pytestmark = [pytest.mark.browser, pytest.mark.check]
PAGE = "/verify/"


def the_file(world, folder):
    pack = committed(Pack.objects.select_related("revision").get, business=world.ours)
    file = folder / "executed.pdf"
    file.write_bytes(blobs.get(packs.documents_of(pack)[1].sealed_sha256))
    return file


def test_a_file_is_checked_without_being_sent(world, at, tmp_path):
    visitor, sent = at(None, locale="en-GB"), []
    visitor.page.on("request", lambda request: sent.append(request.method))
    visitor.go(PAGE).locator("input[type=file]").set_input_files(the_file(world, tmp_path))

    visitor.press("Check by its fingerprint")

    assert visitor.reads("Authentic, and executed")
    assert "POST" not in sent
    assert visitor.said == []


def test_whoever_wants_a_deeper_check_sends_it(world, at, tmp_path):
    visitor = at(None, locale="en-GB")
    visitor.go(PAGE).locator("input[type=file]").set_input_files(the_file(world, tmp_path))

    visitor.press("Send the file")

    assert visitor.reads(
        "This is an exact copy of the sealed copy of a document that both parties executed"
    )
