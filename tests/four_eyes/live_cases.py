"""An executed case that is going live, and every deed that staff can do to it or its business."""

from collections.abc import Callable

from django.db import transaction
from django.urls import reverse

from agreements.lifecycle import PackStatus
from apikeys.going_live import requests
from apikeys.going_live.models import GoLiveRequest
from console.accounts.models import User
from console.accounts.roles import Role
from console.catalogue import module_settings, products
from console.catalogue.lifecycle import HandSetting
from console.catalogue.models import ModuleSetting
from onboarding.lifecycle import Capacity
from onboarding.models import Reviewer
from tests import factories
from tests.apikeys.going_live import world as going
from tests.four_eyes import cases
from tests.four_eyes.cases import NOTE, WAIVING, Case, Deed

Page = Callable[[Case], tuple[str, dict[str, str]]]
PRODUCT = "customers"


def build() -> Case:
    """Create an executed case whose business is ready for live, with colleagues."""
    pack = factories.a_pack(PackStatus.EXECUTED)
    factories.settle()
    going.make_ready(pack.business)
    roles = (Role.COMPLIANCE, Role.HEAD_OF_COMPLIANCE, Role.ACCOUNT_MANAGER)
    return Case(pack, {str(role): factories.one_of_staff(role) for role in roles})


def judges_before(case: Case) -> dict[Capacity, User]:
    """Return, by capacity, a person who judged the case before its execution."""
    rows = Reviewer.objects.filter(application=case.pack.application).select_related("person")
    return {Capacity(row.capacity): row.person for row in rows.order_by("-pk")}


def newest(case: Case) -> GoLiveRequest:
    return GoLiveRequest.objects.of(case.pack.business)[0]


def approved(case: Case) -> None:
    """Let the colleagues approve a request, so that only the business's confirmation is missing."""
    _proposed(case)
    requests.approve(newest(case), reason=NOTE, by=case.colleagues["head_of_compliance"])


def confirm_by_verb(case: Case, person: User) -> object:
    return requests.confirm(newest(case), by=person)


def confirm_page(case: Case) -> tuple[str, dict[str, str]]:
    ids = [case.pack.business.public_id, newest(case).public_id]
    return reverse("apikeys:confirm_live", args=ids), {}


@transaction.atomic
def _asked(case: Case) -> None:
    """Let the business request going live, replacing a request that was already proposed."""
    cases.settle_check(case)
    owner, business = factories.owner_of(case.pack.business), case.pack.business
    found = GoLiveRequest.objects.of(business).first()
    if found is not None and found.is_open:
        if found.proposed_at is None:
            return
        requests.withdraw(found, by=owner)
    requests.ask(business, [PRODUCT], by=owner)


def _proposed(case: Case) -> None:
    """Let a colleague propose a request, unless one is already proposed."""
    cases.settle_check(case)
    found = GoLiveRequest.objects.of(case.pack.business).first()
    if found is None or not found.is_open or found.proposed_at is None:
        _asked(case)
        requests.propose(newest(case), note=NOTE, by=case.colleagues["account_manager"])


def _page(name: str, **form: str) -> Page:
    return lambda case: (reverse(f"apikeys:{name}", args=[newest(case).public_id]), form)


def _of_product(name: str, product: str, form: Callable[[Case], dict[str, str]]) -> Page:
    return lambda case: (
        reverse(f"apikeys:{name}", args=[case.pack.business.public_id, product]),
        form(case),
    )


def _hand(case: Case) -> HandSetting:
    found = ModuleSetting.objects.of(case.pack.business).filter(module=PRODUCT).first()
    return HandSetting.NONE if found is None else HandSetting(found.hand)


def _set_off(case: Case, person: User) -> object:
    return module_settings.set_by_hand(
        case.pack.business, PRODUCT, HandSetting.OFF, seen=_hand(case), reason=NOTE, by=person
    )


def _release(case: Case, person: User) -> object:
    return module_settings.release(
        case.pack.business, PRODUCT, seen=_hand(case), reason=NOTE, by=person
    )


def _is_set_off(case: Case) -> None:
    if _hand(case) == HandSetting.NONE:
        _set_off(case, case.colleagues["account_manager"])


def _nothing(case: Case) -> None:
    """Prepare nothing: the deed is possible in any state of the case."""


JUDGEMENTS = (
    Deed(
        "propose live", Capacity.ACCOUNT_MANAGER, _asked,
        lambda case, person: requests.propose(newest(case), note=NOTE, by=person),
        _page("propose_live", note=NOTE),
    ),
    Deed(
        "approve live", Capacity.COMPLIANCE, _proposed,
        lambda case, person: requests.approve(newest(case), reason=NOTE, by=person),
        _page("decide_live", decision="approve", reason=NOTE),
    ),
    Deed(
        "decline live", Capacity.COMPLIANCE, _proposed,
        lambda case, person: requests.decline(newest(case), reason=NOTE, by=person),
        _page("decide_live", decision="decline", reason=NOTE),
    ),
    *WAIVING,
)  # fmt: skip

# Decisions about the business's products, made by an outsider without a capacity on the case.
OF_PRODUCTS = (
    Deed(
        "set a module by hand", Capacity.ACCOUNT_MANAGER, _nothing, _set_off,
        _of_product("set_module", PRODUCT, lambda case: {
            "hand": "off", "seen": _hand(case), "reason": NOTE,
        }),
        is_judgement=False,
    ),
    Deed(
        "release a module", Capacity.ACCOUNT_MANAGER, _is_set_off, _release,
        _of_product("set_module", PRODUCT, lambda case: {
            "hand": "automatic", "seen": _hand(case), "reason": NOTE,
        }),
        is_judgement=False,
    ),
    Deed(
        "withdraw a product", Capacity.COMMERCIAL, _nothing,
        lambda case, person: products.withdraw(
            case.pack.business, PRODUCT, reason=NOTE, by=person
        ),
        _of_product("withdraw_product", PRODUCT, lambda case: {"reason": NOTE}),
        is_judgement=False,
    ),
)  # fmt: skip
