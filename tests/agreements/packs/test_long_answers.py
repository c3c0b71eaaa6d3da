"""Every accepted answer can be rendered: the longest ones, without a break."""

import pytest

from agreements.document_templates import template_library
from agreements.lifecycle import PackStatus
from agreements.packs import packs
from agreements.rendering import renderer
from console.core import blobs
from onboarding.questionnaire import printable_answers
from onboarding.questionnaire.edition_schema import QuestionKind
from onboarding.questionnaire.loading import EDITIONS
from onboarding.questionnaire.text_parsers import LONGEST
from tests import factories
from tests.agreements.document_templates.facts import CROSSING, facts
from tests.agreements.rendering.pdf import letters

# The widest letters of some scripts, a letter with a no-break space, and the widest text that a
# table cell can contain unbroken.
RUNS = {
    "Malayalam": "ഔ",
    "Myanmar": "နေထွ",
    "Arabic": "صض",
    "Thai": "กำ",
    "joined": "W\N{NO-BREAK SPACE}",
    "short": "W" * 24 + " ",
}
DOMAIN = ".".join(["w" * 63, "w" * 63, "w" * 53, "example"])


def longest(question):
    """Return the longest answer to a question used in a document, in the widest letters."""
    if question.kind is QuestionKind.EMAIL:
        return f"{'W' * 64}@{DOMAIN}"
    if question.kind is QuestionKind.ADDRESS:
        parts = ("line1", "line2", "city", "state", "postal_code")
        return dict.fromkeys(parts, "W" * 200) | {"country": "GB"}
    return "W" * int(question.at_most or LONGEST[question.kind])


def longest_answers():
    """Return the longest possible answers to all questions used in documents."""
    questions = [one for section in EDITIONS.newest().sections for one in section.questions]
    return {one.key: longest(one) for one in questions if printable_answers.is_stated(one)}


@pytest.mark.check
@pytest.mark.django_db(transaction=True)
def test_the_longest_answers_are_rendered_signed_and_sealed():
    changes = longest_answers() | {"lc_regulated": "yes"}
    # The number has its register's format, and the owner of the business signs.
    del changes["li_registration_number"]
    del changes["ow_signatory_name"], changes["ow_signatory_email"]
    pack = factories.a_pack(PackStatus.EXECUTED, **changes)

    documents = {one.code: blobs.get(one.sealed_sha256) for one in packs.documents_of(pack)}
    name = changes["li_legal_name"]
    for code, pdf in {**documents, "certificate": blobs.get(pack.certificate_sha256)}.items():
        assert name in letters(pdf), code


def told(run):
    """Return facts in which every answer is one unbroken run of letters of maximum length."""

    def filled(most):
        return (run * most)[:most].strip()

    said = facts(CROSSING)
    said["business"] |= {
        "legal_name": filled(363), "trading_names": [filled(200)], "legal_form": filled(120),
        "register": filled(160), "registration_number": filled(40),
        "address": [filled(200), filled(200), filled(401), filled(200)],
    }  # fmt: skip
    said["licensing"]["licences"] = [
        {"regulator": filled(200), "kind": filled(200), "number": filled(80)}
        | {"country_name": "South Georgia and the South Sandwich Islands"}
    ]
    return said


@pytest.mark.parametrize(
    "run",
    [
        pytest.param(run, id=name, marks=[] if name == "Arabic" else [pytest.mark.check])
        for name, run in RUNS.items()
    ],
)
def test_a_run_of_letters_of_any_script_stays_on_the_page(run):
    said = told(run)
    found = renderer.render(template_library.load("MSA").reference, said)
    assert "".join(said["business"]["legal_name"].split()) in letters(found.pdf)
