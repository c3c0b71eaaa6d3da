"""Documents of many programs, scanners and phones are read as viewers read them."""

import io
import re

import pytest
from PIL import Image

from console.core.isolation import ask
from onboarding.evidence import inspect_worker, inspection
from onboarding.evidence.models import EvidenceFile
from tests.agreements.sealing import made
from tests.api.checkout import files as pictures
from tests.onboarding.evidence import documents, producers
from tests.onboarding.evidence.producers import HIDDEN

PDFS = producers.PDFS | documents.BEHIND


@pytest.mark.parametrize("name", PDFS)
def test_a_pdf_of_any_producer_is_written_again(name):
    said, kept, _preview = inspect_worker._inspected(PDFS[name])
    assert "refused" not in said, said
    assert said["pages"] == (2 if name == "Pillow" else 1)
    assert kept.startswith(b"%PDF-")
    for hidden in (HIDDEN, b"PK\3\4", b"<script>", b"app.alert", b"MZ\n"):
        assert hidden not in kept
    # A copy is read as it is, and the same file gives the same copy.
    assert inspect_worker._pages(kept) == said["pages"]
    assert inspect_worker._inspected(PDFS[name])[1] == kept


# Of damaged data beside the picture.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", producers.PICTURES | pictures.BEHIND)
def test_a_picture_of_any_device_is_written_again(name):
    said, kept, preview = inspect_worker._inspected((producers.PICTURES | pictures.BEHIND)[name])
    assert said.get("media_type") == "image/jpeg", said
    for data in (kept, preview):
        assert HIDDEN not in data
        with Image.open(io.BytesIO(data)) as picture:
            assert (picture.format, picture.mode) == ("JPEG", "RGB")
            assert picture.size == ((60, 30) if name in producers.PICTURES else (64, 64))
            assert not picture.getexif()


def test_grey_of_16_bits_is_not_cut_off():
    _said, kept, _preview = inspect_worker._inspected(producers.PICTURES["PNG of 16 bits"])
    with Image.open(io.BytesIO(kept)) as picture:
        assert picture.getpixel((3, 3)) == (0, 0, 0)  # almost black, as it was


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("progressive", [False, True])
def test_a_picture_without_some_of_its_pixels_is_refused(mode, progressive):
    written = io.BytesIO()
    noise = Image.effect_noise((160, 120), 80).convert(mode)
    noise.save(written, "JPEG", progressive=progressive)
    data = written.getvalue()
    said, _kept, _preview = inspect_worker._inspected(data[:-2])
    assert said["media_type"] == "image/jpeg"
    for place in (len(data) // 2, len(data) * 9 // 10, *range(len(data) - 200, len(data) - 20, 7)):
        for end in (b"", b"\xff"):
            said, _kept, _preview = inspect_worker._inspected(data[:place] + end)
            assert said == {"refused": "cut"}, place


@pytest.mark.parametrize("name", producers.OTHERS)
def test_another_kind_of_file_is_told_by_its_name(name):
    data, words = producers.OTHERS[name]
    with pytest.raises(inspection.FileRefused) as refused:
        inspection.inspect(data)
    assert re.search(words, str(refused.value))


def test_all_are_read_within_the_limits_of_the_process():
    for name in ("Pillow", "Acrobat, for the web", "pyHanko, with an owner's password"):
        assert inspection.inspect(PDFS[name]).kept.startswith(b"%PDF-"), name


def test_a_signed_pdf_is_kept_as_it_is_unless_it_hides_something():
    signed = made.a_sealed_document()
    for data, as_it_is in (
        (signed, True),
        (signed + HIDDEN, False),
        (b"\n" + signed, False),
        (producers._updated(signed, (98, "<</S /JavaScript /JS (app.alert\\(1\\))>>")), False),
    ):
        said, kept, _preview = inspect_worker._inspected(data)
        assert "refused" not in said
        assert (kept == data) is as_it_is
        assert b"/JavaScript" not in kept


def test_a_phone_photo_is_stored(upload):
    assert upload(producers.PICTURES["motion photo"], "20261129_101010.jpg").status_code == 302
    assert EvidenceFile.objects.get().media_type == "image/jpeg"
    assert ask("onboarding.evidence.inspect_worker", producers.PICTURES["CMYK"]).startswith(b"{")
