"""In real browsers: a reviewer asks, the business uploads and answers, a check is decided."""

import pytest
from django.urls import reverse

from console.accounts.roles import Role
from onboarding.evidence.models import CheckEvidence, EvidenceFile
from onboarding.information.models import InformationRequest
from onboarding.lifecycle import CheckStatus
from tests import factories
from tests.api.checkout.files import a_picture
from tests.onboarding import answered
from tests.onboarding.evidence import documents
from tests.onboarding.intake.conftest import at  # noqa: F401

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("scripts", [True, False], ids=["script", "no-script"])
def test_a_check_is_decided_with_evidence_on_request(at, tmp_path, scripts):  # noqa: F811
    case = factories.a_reviewed_application(**answered.HIGH | answered.LISTED)
    options = {"java_script_enabled": scripts}
    reviewer = at(factories.one_of_staff(Role.COMPLIANCE), **options)
    owner = at(factories.owner_of(case.business), **options)
    passport, chart = tmp_path / "me.pdf", tmp_path / "chart.png"
    passport.write_bytes(documents.a_pdf())
    chart.write_bytes(a_picture("PNG", (900, 600)))

    page = owner.go(reverse("onboarding:documents", args=[case.business.public_id]))
    page.get_by_label("Kind of document").select_option("ownership")
    owner.attach(page.get_by_label("File"), chart)
    owner.press("Upload")
    assert owner.reads("We saved chart.png.")

    page = reviewer.go(case.case_url)
    reviewer.press("Ask for information")
    reviewer.write(page.locator("[name=words_1]"), "Send your passport.")
    page.locator("[name=need_1]").select_option("passport")
    reviewer.write(page.locator("[name=words_2]"), "Why so few owners?")
    reviewer.press("Send the questions")

    page = owner.go(case.get_absolute_url())
    owner.press("Read the questions and answer them")
    owner.attach(page.locator("input[type=file]"), passport)
    owner.write(page.locator("textarea"), "There are two.")
    owner.press("Send the answers")
    assert InformationRequest.objects.get().is_answered

    page = reviewer.go(case.case_url)
    assert reviewer.reads("There are two.")
    reviewer.press("Accept")
    file = EvidenceFile.objects.get(kind="ownership")
    page = reviewer.go(reverse("onboarding:evidence_file", args=[file.public_id]))
    assert page.locator("img.evidence").evaluate("img => img.naturalWidth") == 900
    check = case.submission.checks.get(kind="screening", status=CheckStatus.NEEDS_REVIEW)
    page = reviewer.go(reverse("onboarding:decide_check", args=[check.public_id]))
    reviewer.tick(page.locator("[name=passed][value=yes]"))
    reviewer.write(page.locator("[name=reason]"), "Born in another year.")
    passport_row = EvidenceFile.objects.get(kind="passport")
    reviewer.tick(page.locator(f"[name=evidence][value={passport_row.public_id}]"))
    reviewer.press("Save the decision")

    assert CheckEvidence.objects.get().file == passport_row
    assert reviewer.said == owner.said == []
