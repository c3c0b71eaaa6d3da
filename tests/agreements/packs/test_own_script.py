"""From sign-up to an executed pack, for a business with a name in its own script."""

import pytest

from agreements.lifecycle import PackStatus
from agreements.models import Pack
from agreements.packs import packs
from console.accounts import businesses, signup
from console.accounts.models import User
from console.core import blobs
from onboarding.intake import applications
from tests import factories
from tests.agreements.rendering.pdf import words
from tests.agreements.rendering.scripts import NAMES, UNSET
from tests.proofs import Proven, proof

# A business in each script; in the last, the registered name cannot be set, so it is in Latin.
WALKS = [
    *({"li_legal_name": name} for name in NAMES.values()),
    {"li_legal_name": "Divehi Payments Ltd", "li_native_name": UNSET},
]


def executed(told):
    """Sign up, register, answer, submit, read and sign; then all our reviewers decide."""
    email = f"owner{User.objects.count()}@script.example"
    signup.sign_up(email=email, name="Mara Ellwood", password="four quiet herons walking")
    person = User.objects.get(email=email)
    signup.confirm(signup.confirmation_token(person), by=person)
    business = businesses.register(told["li_legal_name"], by=person)
    application = factories.filled(
        applications.start(business, by=person), ow_signatory_email=email, **told
    )
    applications.submit(application, declared=True, by=person)
    factories.settle()  # workers check, score, clear and render
    pack = factories.walked(Pack.objects.get(business=business), PackStatus.EXECUTED)
    factories.settle()
    return pack


def texts(pack):
    """Return the text that `pdftotext` finds in the sealed documents and the certificate."""
    documents = {one.code: one.sealed_sha256 for one in packs.documents_of(pack)}
    read = {code: words(blobs.get(sha256)) for code, sha256 in documents.items()}
    return read | {"certificate": words(blobs.get(pack.certificate_sha256))}


@pytest.mark.check
@pytest.mark.django_db(transaction=True)
@proof(
    "R26",
    "businesses in their own script, from sign-up to an executed pack",
    small=1,
    full=len(WALKS),
    asked=f"{len(WALKS)} of {len(WALKS)} names found in the cover, the agreement, the certificate",
)
def test_a_business_gets_its_agreement_in_its_own_script(proven: Proven):
    found = 0
    for told in WALKS[: proven.size]:
        read = texts(executed(told))
        stated = ("CVR", "MSA", "certificate")
        found += all(told["li_legal_name"] in read[document] for document in stated)
    figure = f"{found} of {proven.size} names found in the cover, the agreement, the certificate"
    proven.reached(figure, met=found == proven.size)
