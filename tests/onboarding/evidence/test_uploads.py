"""Uploading evidence: what is taken, what is refused, and what the business can see and remove."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image

from console.accounts import limits
from console.accounts.roles import Role
from console.audit.models import Entry
from console.core import blobs
from console.core.digests import sha256_hex
from console.core.isolation import LARGEST_BODY, LARGEST_FILE
from onboarding.evidence import inspection, pdf_copy, removal
from onboarding.evidence.models import EvidenceFile
from onboarding.intake import applications
from onboarding.lifecycle import ApplicationStatus
from onboarding.review import decisions
from tests import factories
from tests.api.checkout import files as pictures
from tests.onboarding.evidence import documents
from tests.proofs import Proven, proof

KEPT = pdf_copy.written_again(documents.a_pdf())


def page_of(case):
    return reverse("onboarding:documents", args=[case.business.public_id])


@proof("R18", "evidence files")
def test_no_hostile_file_is_stored(proven: Proven, upload, owner, case, monkeypatch):
    monkeypatch.setattr(limits, "EVIDENCE_PER_BUSINESS", limits.Rate(tries=1000, seconds=60))
    wrong = []
    for name, data in documents.HOSTILE.items():
        page = upload(data, name)
        if page.status_code != 422 or 'id="id_file_error"' not in page.text:
            wrong.append((name, page.status_code))
    stored = EvidenceFile.objects.count()
    folder = removal.folder_of(case)

    figure = f"{stored} of {len(documents.HOSTILE)} stored"
    met = not stored and not wrong and len(documents.HOSTILE) >= 50
    assert not any(blobs.exists(sha256_hex(one), folder) for one in documents.HOSTILE.values())
    proven.reached(figure, met=met, wrong=wrong)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("page.png", "This is a web page"),
        ("locked.pdf", "opens only with a password"),
        ("escaped-script.pdf", "contains a script"),
        ("packed-script.pdf", "contains a script"),
        ("attached.pdf", "files attached"),
        ("open-web.pdf", "starts an action"),
        ("packed-web.pdf", "starts an action"),
        ("outside-picture.pdf", "in other files"),
        ("kind-elsewhere.pdf", "starts an action"),
        ("negative-picture.pdf", "cannot read this file"),
        ("page-as-picture.pdf", "cannot read this file"),
        ("unfolding-picture.pdf", "unpacks to too much"),
        ("negative-unit.pdf", "at most 60 megapixels"),
        ("large-jpeg-inside.pdf", "at most 60 megapixels"),
        ("xfa.pdf", "interactive form"),
        ("page-bomb.pdf", "more than 200 pages"),
        ("pixel-bomb.pdf", "at most 60 megapixels"),
        ("largest.png", "at most 60 megapixels"),
        ("unfolding.pdf", "unpacks to too much"),
        ("half.pdf", "end of this file is missing"),
        ("revision-cut.pdf", "end of this file is missing"),
        ("half.jpg", "end of this file is missing"),
        ("named-script.pdf", "contains a script"),
        ("film.pdf", "contains a film"),
        ("eicar.com", "not a PDF, PNG or JPEG"),
        ("bomb.zip", "This is an archive"),
        ("tiff.jpg", "This is a TIFF picture. Save it as a JPEG"),
    ],
)
def test_a_refusal_says_why(name, words):
    with pytest.raises(inspection.FileRefused, match=words):
        inspection.inspect(documents.HOSTILE[name])


def test_an_honest_file_is_stored(upload, case):
    link = documents._in_page("<</S /URI /URI (https://bank.example/)>>")
    for data, media_type, pages in (
        (documents.a_pdf(), "application/pdf", 1),
        (documents.with_many_pages(200), "application/pdf", 200),
        (documents.a_pdf("/OpenAction [3 0 R /Fit]"), "application/pdf", 1),
        (documents.a_pdf("", link), "application/pdf", 1),
        (documents.a_pdf("/OpenAction <</S /GoTo /D [3 0 R /Fit]>>"), "application/pdf", 1),
        *(
            (documents.scanned(*filters), "application/pdf", 1)
            for filters in (
                ("/FlateDecode",),
                ("/DCTDecode",),
                ("/ASCII85Decode", "/FlateDecode"),
                ("/FlateDecode", "/DCTDecode"),
            )
        ),
        (pictures.a_picture("PNG", (4000, 3000)), "image/jpeg", None),
        (pictures.a_picture("JPEG", (5000, 4000)), "image/jpeg", None),
    ):
        # The name and the type that the browser gives do not matter.
        assert upload(data, "C:\\scans\\passport.exe").status_code == 302

        file = EvidenceFile.objects.latest("pk")
        assert (file.media_type, file.pages, file.name) == (media_type, pages, "passport.exe")
        kept = blobs.get(file.sha256, removal.folder_of(case))
        assert (file.sha256, file.size) == (sha256_hex(kept), len(kept))
        entry = Entry.objects.filter(code="evidence_file.added").latest("pk")
        assert entry.subject_id == file.public_id


def test_a_picture_is_shown_upright_and_without_metadata(upload, case):
    written, exif = io.BytesIO(), Image.Exif()
    exif[0x0112], exif[0x010E] = 6, pictures.SECRET.decode()
    Image.new("RGB", (60, 30)).save(written, "JPEG", exif=exif)
    assert pictures.SECRET in written.getvalue()

    upload(written.getvalue())

    shown = blobs.get(EvidenceFile.objects.get().preview_sha256, removal.folder_of(case))
    assert pictures.SECRET not in shown
    with Image.open(io.BytesIO(shown)) as picture:
        assert (picture.format, picture.size) == ("JPEG", (30, 60))


def test_files_up_to_20_mb_are_taken_here_alone(upload, owner, case):
    largest = documents.a_pdf("", "", documents.a_stream("", bytes(LARGEST_FILE - 2000)))
    assert upload(largest).status_code == 302
    larger = documents.a_pdf("", "", documents.a_stream("", bytes(LARGEST_FILE)))
    assert "larger than 20 MB" in upload(larger, kind="other").text
    assert upload(bytes(LARGEST_BODY)).status_code == 400
    assert EvidenceFile.objects.count() == 1

    answers = reverse("onboarding:section", args=[case.business.public_id, "legal_identity"])
    file = SimpleUploadedFile("a.pdf", bytes(3 * 1024 * 1024))
    assert owner.post(answers, {"file": file}).status_code == 400


def test_the_same_file_again_changes_nothing(upload):
    upload()
    upload()
    assert (
        EvidenceFile.objects.count()
        == Entry.objects.filter(code="evidence_file.added").count()
        == 1
    )


def test_uploads_are_limited(upload, owner, case, monkeypatch):
    monkeypatch.setattr("onboarding.evidence.files.MOST_FILES", 1)
    upload()
    assert "already has 1 files" in upload(kind="address").text


def test_the_business_sees_its_own_files_and_no_content(owner, file, case):
    page = owner.get(page_of(case)).text
    assert file.name in page
    for name in ("evidence_file", "evidence_content", "evidence_download"):
        assert owner.get(reverse(f"onboarding:{name}", args=[file.public_id])).status_code == 404
    stranger = factories.signed_in(Client(), factories.owner_of(factories.a_business("Other")))
    assert stranger.get(page_of(case)).status_code == 404


def test_a_viewer_reads_the_list_and_changes_nothing(file, case):
    viewer = factories.signed_in(Client(), factories.a_member(case.business, Role.VIEWER))
    page = viewer.get(page_of(case)).text
    assert file.name in page
    assert 'type="file"' not in page
    address = reverse("onboarding:upload", args=[case.business.public_id])
    assert viewer.post(address, {"kind": "passport"}).status_code == 403


def test_who_was_signed_out_reads_that_the_file_was_not_kept(case):
    file = SimpleUploadedFile("me.pdf", documents.a_pdf())
    address = reverse("onboarding:upload", args=[case.business.public_id])
    page = Client().post(address, {"kind": "passport", "file": file})
    assert page.status_code == 403
    assert "choose the file again" in page.text
    assert "choose the file again" not in Client().post(address, {"kind": "passport"}).text


def test_a_file_is_removed_before_it_is_submitted_and_not_after(upload, owner, case):
    upload()
    file = EvidenceFile.objects.get()
    remove = reverse("onboarding:withdraw_document", args=[case.business.public_id, file.public_id])
    # While we review, files are added but none is removed.
    assert remove not in owner.get(page_of(case)).text
    assert owner.post(remove).status_code == 409

    person = factories.one_of_staff(Role.COMPLIANCE)
    decisions.return_for_changes(factories.fresh(case), note="Send a passport.", by=person)
    upload(kind="address")
    assert remove in owner.get(page_of(case)).text
    assert [owner.post(remove).status_code for _ in range(2)] == [302, 302]
    file.refresh_from_db()
    assert (file.removed_because, file.sha256) == ("withdrawn", sha256_hex(KEPT))
    assert Entry.objects.filter(code="evidence_file.withdrawn").count() == 1

    other = EvidenceFile.objects.get(kind="address")
    applications.submit(factories.fresh(case), declared=True, by=factories.owner_of(case.business))
    remove = remove.replace(file.public_id, other.public_id)
    assert owner.post(remove).status_code == 409


@pytest.mark.django_db(transaction=True)
def test_the_bytes_of_a_removed_file_are_deleted_unless_another_needs_them(upload, owner, case):
    person = factories.one_of_staff(Role.COMPLIANCE)
    decisions.return_for_changes(factories.fresh(case), note="Send a passport.", by=person)
    upload()
    upload(kind="address")
    folder, sha256 = removal.folder_of(case), sha256_hex(KEPT)

    for file, stays in zip(EvidenceFile.objects.order_by("pk"), (True, False), strict=True):
        page = reverse(
            "onboarding:withdraw_document", args=[case.business.public_id, file.public_id]
        )
        owner.post(page)
        assert blobs.exists(sha256, folder) is stays
        assert EvidenceFile.objects.get(pk=file.pk).erased_at


@pytest.mark.parametrize(
    ("status", "taken"),
    [
        (ApplicationStatus.DRAFT, True),
        (ApplicationStatus.EXECUTED, True),
        (ApplicationStatus.DECLINED, False),
        (ApplicationStatus.WITHDRAWN, False),
    ],
)
def test_files_are_taken_until_the_application_has_ended(client, status, taken):
    case = factories.an_application(status)
    factories.signed_in(client, factories.owner_of(case.business))
    page = client.get(page_of(case)).text
    address = reverse("onboarding:upload", args=[case.business.public_id])
    assert (f'action="{address}"' in page) is taken

    file = SimpleUploadedFile("a.pdf", documents.a_pdf())
    answer = client.post(address, {"kind": "passport", "file": file})
    assert answer.status_code == (302 if taken else 422)
    assert EvidenceFile.objects.exists() is taken
