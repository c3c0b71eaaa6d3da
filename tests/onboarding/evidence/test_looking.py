"""How reviewers see evidence files, decide checks on them, and who is told that they looked."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from console.accounts.roles import STAFF, Role
from console.audit.models import Entry
from onboarding.evidence import pdf_copy
from onboarding.evidence.models import CheckEvidence, EvidenceFile
from onboarding.lifecycle import CheckStatus
from onboarding.models import Check
from tests import factories
from tests.api.checkout import files as pictures
from tests.onboarding.evidence import documents

SEERS = {Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE, Role.LEGAL, Role.HEAD_OF_LEGAL}


def at(name, file):
    return reverse(f"onboarding:evidence_{name}", args=[file.public_id])


def looks(file):
    return [
        entry.code
        for entry in Entry.objects.filter(subject_id=file.public_id).order_by("pk")
        if entry.code != "evidence_file.added"
    ]


def test_compliance_and_legal_see_files(case, file):
    for role in STAFF:
        client = factories.signed_in(Client(), factories.one_of_staff(role))
        sees, before = role in SEERS, len(looks(file))
        for name in ("file", "content", "download"):
            assert client.get(at(name, file)).status_code == (200 if sees else 403), role
        page = client.get(case.case_url).text
        assert file.name in page
        assert (at("file", file) in page) is sees, role
        assert len(looks(file)) - before == (2 if sees else 0), role


def test_a_pdf_is_never_part_of_a_page(staff, file):
    page = staff.get(at("file", file)).text
    assert "Not scanned" in page
    assert "<iframe" not in page
    assert "<embed" not in page
    assert "<img" not in page
    assert f'href="{at("content", file)}" target="_blank"' in page

    shown = staff.get(at("content", file))
    assert shown.content == pdf_copy.written_again(documents.a_pdf())
    assert shown.headers["Content-Type"] == "application/pdf"
    assert "sandbox" in shown.headers["Content-Security-Policy"].split("; ")
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert shown.headers["X-Frame-Options"] == "DENY"
    assert "no-store" in shown.headers["Cache-Control"]

    saved = staff.get(at("download", file))
    assert saved.headers["Content-Disposition"].startswith("attachment")
    assert f"{file.public_id}.pdf" in saved.headers["Content-Disposition"]
    assert saved.headers["X-Content-Type-Options"] == "nosniff"
    assert looks(file) == ["evidence_file.viewed", "evidence_file.downloaded"]


def test_a_picture_is_shown_as_we_wrote_it_again(upload, staff):
    original = pictures.with_metadata()
    upload(original, "a.svg")
    file = EvidenceFile.objects.get()

    assert f'src="{at("content", file)}"' in staff.get(at("file", file)).text
    shown = staff.get(at("content", file))
    assert shown.headers["Content-Type"] == "image/jpeg"
    assert pictures.SECRET not in shown.content
    assert pictures.SECRET not in staff.get(at("download", file)).content


def test_a_decision_names_the_files_it_rests_on(staff, upload, case):
    upload()
    upload(kind="address")
    file = EvidenceFile.objects.get(kind="passport")
    check = Check.objects.get(
        status=CheckStatus.NEEDS_REVIEW, submission=case.submission, kind="screening"
    )
    page = reverse("onboarding:decide_check", args=[check.public_id])
    assert staff.get(page).text.count('name="evidence"') == 2

    said = {"passed": "yes", "reason": "Born in another year, see the passport."}
    assert staff.post(page, said | {"evidence": file.public_id}).status_code == 302

    named = CheckEvidence.objects.get()
    assert (named.file, named.sha256) == (file, file.sha256)
    assert named.act.decided_check == check
    assert file.sha256 in Entry.objects.get(code="evidence_file.relied_on").body
    assert "Born in another year" in staff.get(at("file", file)).text
    with pytest.raises(DatabaseError), transaction.atomic():
        CheckEvidence.objects.update(sha256="0" * 64)


def test_a_decision_names_no_file_of_another_case(staff, file):
    other = factories.a_reviewed_application(li_legal_name="Sanctioned Other Ltd")
    check = other.submission.checks.get(status=CheckStatus.NEEDS_REVIEW, kind="screening")
    page = reverse("onboarding:decide_check", args=[check.public_id])
    assert 'name="evidence"' not in staff.get(page).text

    said = {"passed": "yes", "reason": "Another company.", "evidence": file.public_id}
    assert staff.post(page, said).status_code == 302
    assert not CheckEvidence.objects.exists()


def test_a_file_of_a_draft_is_not_ours_to_see(client, staff):
    draft = factories.an_application()
    factories.signed_in(client, factories.owner_of(draft.business))
    address = reverse("onboarding:upload", args=[draft.business.public_id])
    sent = SimpleUploadedFile("a.pdf", documents.a_pdf())
    client.post(address, {"kind": "passport", "file": sent})
    assert staff.get(at("file", EvidenceFile.objects.get())).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_database_keeps_files_as_they_were_uploaded(file):
    for change in (
        lambda: EvidenceFile.objects.update(sha256="0" * 64),
        lambda: EvidenceFile.objects.update(
            removed_at=file.uploaded_at, removed_because="outlived"
        ),
        lambda: EvidenceFile.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
