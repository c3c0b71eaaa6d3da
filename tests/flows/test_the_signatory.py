"""A colleague signs: from the e-mail that names them to the signature, without any 404."""

import pytest
from playwright.sync_api import Browser, Response

from onboarding.intake import applications
from tests import factories
from tests.flows.walking import I_SIGN, PASSWORD, Person
from tests.onboarding import answered
from tests.services import Services

pytestmark = [
    pytest.mark.browser,
    pytest.mark.services,
    pytest.mark.django_db(transaction=True),
]
NAME, EMAIL = "Zoë Adjei", "zoe@walk.example"


def test_a_colleague_without_an_account_signs(services: Services, chromium: Browser):
    services.start("broker", "worker", "beat", "web")
    known = factories.a_person("Mara Ellwood", email="mara@walk.example", password=PASSWORD)
    of_her = factories.a_business("Kettle & Kiosk Ltd", owner=known)
    factories.filled(applications.start(of_her, by=known), **I_SIGN)
    business = f"/b/{of_her.public_id}/"
    owner = Person(chromium, services.url, known.name, known.email)
    owner.sign_in()
    answers = answered.answers(ow_signatory_name=NAME, ow_signatory_email="Zoe@Walk.example")
    for _ in ("who signs", "who they are"):  # choosing “a colleague signs” adds questions
        owner.go(f"{business}access/ownership/")
        owner.answer_here(answers)
    owner.submit(business)
    assert owner.reads("Our reviewers now have your answers")
    colleague = Person(chromium, services.url, NAME, EMAIL)
    lost: list[str] = []
    colleague.page.on("response", lambda answer: lost.extend(_missing(answer)))

    colleague.open_mail("Mara Ellwood names you to sign for Kettle & Kiosk Ltd")
    colleague.press("Create an account")
    page = colleague.page
    assert page.get_by_label("Your full name").input_value() == NAME
    assert page.get_by_label("Work e-mail address").input_value() == EMAIL
    colleague.write(page.get_by_label("Password"), colleague.password)
    colleague.press("Create account")
    colleague.open_mail("Confirm your e-mail address")
    colleague.click(page.locator("main form button"))
    colleague.press("Accept the invitation")
    colleague.set_up_the_app_on_this_page()
    colleague.press("I have saved them")
    assert page.url.endswith(business)

    colleague.open_mail("Your agreements are ready to read and sign")
    assert colleague.reads("Read your documents")
    assert colleague.read_and_accept_all(business) >= 8
    colleague.sign()

    assert colleague.reads("Signed, and with our approvers")
    assert lost == []
    assert [words for one in (owner, colleague) for words in one.said] == []
    for one in (owner, colleague):
        one.close()


def _missing(answer: Response) -> list[str]:
    return [answer.url] if answer.status == 404 else []
