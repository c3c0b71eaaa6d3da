"""The logo that payers see: pictures alone, written again, and served only while in use."""

import io
from importlib import import_module

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse
from PIL import Image

from api.checkout import appearance, checkout_settings, logo_worker, logos
from api.checkout.models import CheckoutSettings
from console.accounts.actors import SYSTEM
from console.accounts.roles import Role
from console.audit import log as audit
from console.audit.models import Entry
from console.core import blobs
from console.core.digests import sha256_hex
from tests import factories
from tests.api.checkout import files
from tests.api.hosted.payers import Payer
from tests.onboarding.evidence import producers
from tests.proofs import Proven, proof


def at(name: str, business) -> str:
    return reverse(f"api:{name}", args=[business.public_id])


def upload(client: Client, business, name: str, data: bytes, kind: str = "image/png"):
    return client.post(
        at("set_logo", business), {"file": SimpleUploadedFile(name, data, content_type=kind)}
    )


@transaction.atomic
def write(business, sha256):
    """Write a hash into the row, with the entry that the database requires."""
    CheckoutSettings.objects.update(logo=sha256)
    audit.record("checkout.logo_set", business, by=SYSTEM, business=business)


def served(sha256: str):
    return Payer().get(f"/logo/{sha256}.png")


@proof("R18", "logos")
def test_no_hostile_file_is_stored(proven: Proven, developer, business):
    wrong = []
    for name, data in files.HOSTILE.items():
        page = upload(developer, business, name, data)
        if page.status_code != 200 or 'id="id_file_error"' not in page.content.decode():
            wrong.append((name, page.status_code))
    kept = CheckoutSettings.objects.exclude(logo="").count()

    figure = f"{kept} of {len(files.HOSTILE)} stored"
    proven.reached(figure, met=not kept and not wrong and len(files.HOSTILE) >= 50, wrong=wrong)


def test_a_file_larger_than_any_form_is_refused(developer, business):
    assert upload(developer, business, "huge.png", bytes(3 * 1024 * 1024)).status_code == 400
    assert not CheckoutSettings.objects.exists()


@pytest.mark.parametrize(
    ("kind", "mode"),
    [("PNG", "RGB"), ("PNG", "RGBA"), ("PNG", "L"), ("PNG", "P"), ("PNG", "1"), ("JPEG", "RGB"),
     ("JPEG", "L"), ("JPEG", "CMYK")],
)  # fmt: skip
def test_a_picture_is_written_again_as_a_small_png(developer, business, kind, mode):
    picture = files.a_picture(kind, (1000, 500), mode)

    # The name and the type that the browser gives do not matter.
    page = upload(developer, business, "logo.svg", picture, "image/svg+xml")

    assert page.status_code == 302
    written = blobs.get(checkout_settings.of(business).logo, logos.FOLDER)
    with Image.open(io.BytesIO(written)) as shown:
        assert (shown.format, shown.size) == ("PNG", (512, 256))
    assert Entry.objects.filter(code="checkout.logo_set").count() == 1


@pytest.mark.filterwarnings("ignore")  # of damaged data beside the picture
@pytest.mark.parametrize("name", producers.PICTURES | files.BEHIND)
def test_a_picture_of_any_device_is_written_again_upright(name):
    written = logo_worker.as_png((producers.PICTURES | files.BEHIND)[name])
    assert producers.HIDDEN not in written
    with Image.open(io.BytesIO(written)) as shown:
        assert shown.size == ((60, 30) if name in producers.PICTURES else (64, 64))


def test_metadata_is_left_out(developer, business):
    picture = files.with_metadata()
    assert files.SECRET in picture

    upload(developer, business, "logo.png", picture)

    written = blobs.get(checkout_settings.of(business).logo, logos.FOLDER)
    assert files.SECRET not in written
    assert not any(kind in written for kind in (b"iCCP", b"eXIf", b"tEXt"))


def test_it_is_served_by_its_hash_while_it_is_in_use(developer, business):
    upload(developer, business, "logo.png", files.a_logo())
    sha256 = checkout_settings.of(business).logo

    assert appearance.of_business(business).logo_path == f"/logo/{sha256}.png"
    answer = served(sha256)
    assert answer.status_code == 200
    assert sha256_hex(answer.content) == sha256
    assert answer.headers["Content-Type"] == "image/png"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in answer.headers["Cache-Control"]
    preview = developer.get(at("logo_preview", business))
    assert preview.content == answer.content
    page = developer.get(at("checkout_settings", business)).content.decode()
    assert f'src="{at("logo_preview", business)}"' in page

    developer.post(at("remove_logo", business))
    assert appearance.of_business(business).logo_path == ""
    assert served(sha256).status_code == 404
    assert developer.get(at("logo_preview", business)).status_code == 404
    assert Entry.objects.filter(code="checkout.logo_removed").count() == 1


def test_no_other_stored_file_is_served(developer, business):
    document = blobs.put(b"A signed document.")
    for sha256 in (document, "0" * 64, ""):
        assert served(sha256).status_code == 404
    upload(developer, business, "logo.png", files.a_logo())

    # Even if somebody writes the document's hash into the row.
    write(business, document)
    assert served(document).status_code == 503
    assert developer.get(at("logo_preview", business)).status_code == 503


def test_the_same_picture_again_changes_nothing(developer, business):
    for _ in range(2):
        upload(developer, business, "logo.png", files.a_logo())
    assert Entry.objects.filter(code="checkout.logo_set").count() == 1


def test_without_a_logo_payers_see_initials(developer, business):
    page = developer.get(at("checkout_settings", business)).content.decode()
    assert appearance.of_business(business).initials in page
    assert "<img" not in page


def test_a_viewer_cannot_set_it(client, business):
    factories.signed_in(client, factories.a_member(business, Role.VIEWER))
    assert upload(client, business, "logo.png", files.a_logo()).status_code == 403
    assert client.post(at("remove_logo", business)).status_code == 403
    assert not CheckoutSettings.objects.exists()


def test_a_large_picture_is_refused_before_it_is_decoded(monkeypatch):
    monkeypatch.setattr(Image.Image, "convert", lambda *_: pytest.fail("It was decoded."))
    assert logo_worker.as_png(files.HOSTILE["twelve-megapixels.png"]) == logo_worker.LARGE


def test_a_refusal_says_why_and_the_web_process_decodes_nothing(developer, business, monkeypatch):
    data = files.a_logo()
    monkeypatch.setattr(Image, "open", lambda *_, **__: pytest.fail("It was decoded here."))
    for name, words in (
        ("twelve-megapixels.png", "too large"),
        ("page.png", "This is a web page. Choose a PNG or JPEG picture."),
        ("wrong-checksum.png", "cannot read"),
        ("half.jpg", "The end of this file is missing"),
        ("phone.png", "This is a HEIC photo"),
        ("named.svg.png", "This is an SVG drawing"),
    ):
        assert words in upload(developer, business, name, files.HOSTILE[name]).text
    assert upload(developer, business, "logo.png", data).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_the_file_of_a_replaced_logo_is_deleted_unless_another_business_uses_it(
    developer, business
):
    other = factories.a_business("Other Ltd")
    shared = logos.as_png(files.a_logo())
    checkout_settings.set_logo(other, files.a_logo(), by=factories.owner_of(other))
    upload(developer, business, "logo.png", files.a_logo())

    upload(developer, business, "logo.png", files.a_picture("PNG", (32, 32)))
    second = checkout_settings.of(business).logo
    assert blobs.exists(sha256_hex(shared), logos.FOLDER)
    upload(developer, business, "logo.png", files.a_picture("PNG", (16, 16)))
    third = checkout_settings.of(business).logo
    developer.post(at("remove_logo", business))

    assert not blobs.exists(second, logos.FOLDER)
    assert not blobs.exists(third, logos.FOLDER)
    checkout_settings.remove_logo(other, by=factories.owner_of(other))
    assert not blobs.exists(sha256_hex(shared), logos.FOLDER)


def test_a_picture_of_a_camera_with_a_second_one_inside_is_taken(developer, business):
    written = io.BytesIO()
    first, second = (Image.new("RGB", (64, 64), colour) for colour in ("red", "blue"))
    first.save(written, "MPO", save_all=True, append_images=[second])

    page = upload(developer, business, "photo.jpg", written.getvalue(), "image/jpeg")
    assert page.status_code == 302
    assert checkout_settings.of(business).logo


def test_logos_of_an_earlier_release_move_to_their_own_folder(business):
    migration = import_module("api.checkout.migrations.0002_folder_of_logos")
    CheckoutSettings.objects.create(business=business)
    logo, document = files.a_logo(), b"A signed document."
    for data in (logo, document):
        write(business, blobs.put(data))
        migration.copy(apps, None)

    assert blobs.get(sha256_hex(logo), logos.FOLDER) == logo
    assert not blobs.exists(sha256_hex(document), logos.FOLDER)
