"""Commercial approves a pack's products one by one; execution applies exactly that."""

import json

import pytest
from django.db import IntegrityError, connection, transaction

from agreements.approvals import approvals
from agreements.approvals.forms import ApproveProductsForm
from agreements.lifecycle import DecisionRole, PackStatus
from agreements.models import Decision
from apikeys.lifecycle import Environment
from apikeys.models import Grant
from console.accounts.roles import Role
from console.audit import log as audit
from console.catalogue import module_settings, products
from console.catalogue.lifecycle import ProductStatus
from console.catalogue.models import BusinessProduct
from console.core.refusals import ReasonMissing
from onboarding import case_acts
from onboarding.lifecycle import ActKind
from tests import factories
from tests.agreements.pages.addresses import code_of

WHY = "Your volumes are not yet large enough."


@pytest.fixture
def pack():
    return factories.a_pack(at=PackStatus.IN_APPROVAL)


def refuse(pack, by=None, **refused):
    by = by or factories.one_of_staff(Role.COMMERCIAL)
    seen = factories.signed_set(pack)
    approvals.approve(
        pack,
        DecisionRole.COMMERCIAL,
        signed_set_sha256=seen,
        proof=factories.BY_CODE,
        refused=refused,
        by=by,
    )
    return by


def where_it_stands(pack):
    rows = BusinessProduct.objects.of(pack.business)
    return {row.product: (row.status, row.reason, row.by) for row in rows}


def test_what_was_submitted_is_requested_and_nothing_is_effective_before_execution(pack):
    owner = factories.owner_of(pack.business)
    requested = dict.fromkeys(pack.revision.products, (ProductStatus.REQUESTED, "", owner))
    assert where_it_stands(pack) == requested

    refused = next(key for key in pack.revision.products if key not in ("balances", "webhooks"))
    commercial = refuse(pack, **{refused: WHY})
    assert where_it_stands(pack) == requested
    decision = Decision.objects.get(role=DecisionRole.COMMERCIAL)
    said = json.loads(decision.body)["body"]["products"]
    rest = [key for key in pack.revision.products if key != refused]
    assert said == {"approved": rest, "refused": {refused: WHY}}
    assert decision.refused_products == {refused: WHY}

    factories.walked(factories.fresh_pack(pack), PackStatus.EXECUTED)
    assert where_it_stands(pack) == {
        **dict.fromkeys(rest, (ProductStatus.APPROVED, "", commercial)),
        refused: (ProductStatus.REFUSED, WHY, commercial),
    }
    factories.settle()
    sandbox = Grant.objects.get(business=pack.business, environment=Environment.SANDBOX)
    assert set(sandbox.products) == set(rest) == set(products.open_for(pack.business))
    assert module_settings.shown(pack.business.pk) == set(rest)


def test_what_cannot_be_refused(pack):
    with pytest.raises(approvals.CannotRefuse):
        refuse(pack, balances=WHY)
    with pytest.raises(approvals.CannotRefuse):
        refuse(pack, flights=WHY)
    key = next(key for key in pack.revision.products if key not in ("balances", "webhooks"))
    with pytest.raises(ReasonMissing):
        refuse(pack, **{key: "  "})
    with pytest.raises(approvals.CannotRefuse):
        approvals.approve(
            pack,
            DecisionRole.LEGAL,
            signed_set_sha256=factories.signed_set(pack),
            proof=factories.BY_CODE,
            refused={key: WHY},
            by=factories.one_of_staff(Role.LEGAL),
        )
    assert not Decision.objects.exists()


@pytest.mark.parametrize(("role", "key"), [("commercial", "balances"), ("legal", "cards")])
def test_the_database_keeps_the_base_and_the_capacity(pack, role, key):
    by = factories.one_of_staff(Role(role))
    with transaction.atomic():
        case_acts.record(pack.application, ActKind.APPROVE, capacity=DecisionRole(role), by=by)
        audit.record("pack.approval_given", pack, by=by)
    with connection.cursor() as cursor, pytest.raises(IntegrityError, match="never_the_base"):
        cursor.execute(
            "INSERT INTO agreements_decision (public_id, revision_id, role, place, verdict, "
            "person_id, note, refused_products, signed_set_sha256, body, decision_sha256, at, "
            "as_head) "
            "VALUES ('apr_x', %s, %s, 1, 'approved', %s, '', %s, '', '', '', now(), false)",
            [pack.revision.pk, role, by.pk, json.dumps({key: WHY})],
        )


def test_the_page_keeps_what_was_typed_and_says_what_is_missing(client, pack):
    factories.signed_in(client, factories.one_of_staff(Role.COMMERCIAL))
    first, *others = [key for key in pack.revision.products if key not in ("balances", "webhooks")]
    url = f"/review/{pack.application.public_id}/approve-products/"
    page = client.get(url).content.decode()
    assert page.count('type="checkbox"') == len(others) + 1
    assert "Balances &amp; transactions" in page
    ticked = {f"approve_{key}": "on" for key in others}
    sent = {"signed_set_sha256": factories.signed_set(pack), **ticked}

    silent = client.post(url, sent)
    torn = client.post(url, {**sent, f"approve_{first}": "on", f"sentence_{first}": WHY})
    assert (silent.status_code, torn.status_code) == (422, 422)
    assert "Say why in a sentence" in silent.content.decode()
    assert WHY in torn.content.decode()
    assert not Decision.objects.exists()

    whole = {**sent, f"sentence_{first}": WHY} | code_of(client)
    assert client.post(url, whole).status_code == 302
    assert Decision.objects.get().refused_products == {first: WHY}


def test_an_unticked_box_stays_unticked_when_the_page_comes_back():
    kept = {"sentence_cards": "", "sentence_payouts": "", "approve_payouts": "on"}
    for typed, ticked in (({}, [True, True]), (kept, [False, True])):
        form = ApproveProductsForm(products=["balances", "cards", "payouts"], initial=typed)
        assert [bool(one.approved.value()) for one in form.products()] == ticked
