"""Staff search: businesses by name, e-mail or registration number, and objects by ID."""

from collections.abc import Callable, Iterator

from django.db.models import Model, Q
from django.urls import reverse
from django.utils.translation import gettext as _

from agreements.models import Document, Pack
from agreements.packs.packs import NUMBER_PREFIX
from apikeys import logged_calls
from apikeys.going_live.models import GoLiveRequest, UnmetCondition
from apikeys.lifecycle import NetworkStatus
from apikeys.models import ApiKey, Grant, NetworkRequest
from apikeys.webhooks.models import WebhookEndpoint
from console.accounts import access, page_access
from console.accounts.http import ConsoleRequest
from console.accounts.models import Business, Invitation, Membership, User
from console.accounts.models.folded import NameOrder
from console.accounts.roles import Permission
from console.audit import history
from console.catalogue.models import BusinessProduct, ModuleSetting
from console.core import ids, pages_above
from console.shell.search import EACH, SearchHit
from onboarding.evidence.models import EvidenceFile
from onboarding.information.models import InformationRequest
from onboarding.models import (
    Answer,
    Application,
    Assessment,
    CaseNote,
    Check,
    CheckWaiver,
    Submission,
)

# Objects of a case or a business: ID prefix, model and lookup path.
CASES: dict[str, tuple[type[Model], str]] = {
    "asm": (Assessment, "application"),
    "chk": (Check, "application"),
    "evf": (EvidenceFile, "application"),
    "nte": (CaseNote, "application"),
    "rfi": (InformationRequest, "application"),
    "doc": (Document, "revision__pack__application"),
    "pak": (Pack, "application"),
    "sub": (Submission, "application"),
    "wvr": (CheckWaiver, "waived_check__application"),
}
BUSINESSES: dict[str, tuple[type[Model], str]] = {
    "inv": (Invitation, "business"),
    "mds": (ModuleSetting, "business"),
    "mem": (Membership, "business"),
    "prd": (BusinessProduct, "business"),
    "umc": (UnmetCondition, "business"),
}


def everything(request: ConsoleRequest, words: str) -> Iterator[SearchHit]:
    """Find businesses by name, member's e-mail or registration number, and objects by ID."""
    # Like every staff page, search requires the second factor.
    admitted = page_access.admits_staff(request)
    if not (admitted and access.can(request.user, Permission.REVIEW_VIEW)):
        return
    prefix, _mark, rest = words.partition("_")
    if rest and (find := _BY_PREFIX.get(prefix)):
        yield from find(words)
    elif rest and prefix in CASES:
        yield from _case_of(*CASES[prefix], words)
    elif rest and prefix in BUSINESSES:
        yield from _business_of(*BUSINESSES[prefix], words)
    elif ids.SHAPE.fullmatch(words):
        yield from _calls_about(words)
    else:
        if words.upper().startswith(NUMBER_PREFIX):
            yield from _packs(words)
        yield from _businesses(_known_by(words))


def _known_by(words: str) -> Q:
    """Match by name, and by e-mail or number, read first so that an index serves the rest."""
    if "@" in words:
        people = Membership.objects.filter(user__email=words.lower()).exclude(business=None)
        found = set(people.values_list("business", flat=True).distinct()[:EACH])
    else:
        numbers = Answer.objects.of_registration(words)
        found = set(numbers.values_list("application__business", flat=True).distinct()[:EACH])
    return Q(name__folded__contains=words) | Q(pk__in=found)


def _businesses(condition: Q) -> Iterator[SearchHit]:
    for one in Business.objects.filter(condition).order_by(NameOrder("name"), "pk")[:EACH]:
        address = reverse("apikeys:business", args=[one.public_id])
        yield SearchHit(one.name, f"Business {one.public_id}", address, "building-2")


def _people(words: str) -> Iterator[SearchHit]:
    held = Membership.objects.filter(user__public_id=words).exclude(business=None)
    yield from _businesses(Q(pk__in=held.values("business")))
    for person in User.objects.filter(public_id=words):
        yield _in_the_log(str(person), words)


def _drafts(words: str) -> Iterator[SearchHit]:
    """Find the business of an application without a submission, which has no case yet."""
    drafts = Application.objects.filter(public_id=words, submission=None)
    yield from _businesses(Q(pk__in=drafts.values("business")))


def _packs(words: str) -> Iterator[SearchHit]:
    for pack in Pack.objects.filter(number=words.upper()).select_related("business", "application"):
        yield SearchHit(pack.business.name, pack.number, pack.application.case_url, "files")


def _case_of(model: type[Model], way: str, words: str) -> Iterator[SearchHit]:
    found = model._default_manager.filter(public_id=words).values(way)
    for one in Application.objects.filter(pk__in=found).select_related("business"):
        yield SearchHit(one.business.name, words, one.case_url, "folder-open")


def _business_of(model: type[Model], way: str, words: str) -> Iterator[SearchHit]:
    yield from _businesses(Q(pk__in=model._default_manager.filter(public_id=words).values(way)))


def _keys(words: str) -> Iterator[SearchHit]:
    """Find a key by its ID, even if its secret was pasted along with it."""
    found = ApiKey.objects.filter(public_id=words.partition(":")[0])
    for key in found.select_related("grant__business"):
        address = reverse("apikeys:grant", args=[key.grant.public_id])
        yield SearchHit(key.grant.business.name, str(key), address, "key-round")


def _grants(words: str) -> Iterator[SearchHit]:
    for grant in Grant.objects.filter(public_id=words).select_related("business"):
        address = reverse("apikeys:grant", args=[words])
        yield SearchHit(grant.business.name, str(grant), address, "key-round")


def _endpoints(words: str) -> Iterator[SearchHit]:
    """Find an endpoint by its ID, or by that of one of its replays."""
    found = WebhookEndpoint.objects.filter(Q(public_id=words) | Q(replays__public_id=words))
    for one in found.select_related("business").distinct():
        address = reverse(
            "apikeys:staff_endpoints", args=[one.business.public_id], fragment=one.public_id
        )
        yield SearchHit(one.business.name, f"{one.host}, {words}", address, "webhook")


def _networks(words: str) -> Iterator[SearchHit]:
    for one in NetworkRequest.objects.filter(public_id=words).select_related("grant__business"):
        stage = None if one.status == NetworkStatus.REQUESTED else {"stage": "all"}
        address = reverse("apikeys:network_requests", query=stage)
        yield SearchHit(one.grant.business.name, one.network, address, "network")


def _going_live(words: str) -> Iterator[SearchHit]:
    for one in GoLiveRequest.objects.filter(public_id=words).select_related("business"):
        address = reverse("apikeys:go_live_request", args=[words])
        yield SearchHit(one.business.name, words, address, "rocket")


def _requests(words: str) -> Iterator[SearchHit]:
    """Find an API call, and audit entries of an API or page request, by request ID."""
    for call in logged_calls.of_id(words)[:EACH]:
        assert call.business is not None
        address = pages_above.address("logged_call", call.business.public_id, words)
        yield SearchHit(call.business.name, str(call), address, "scroll-text")
    if history.fitting(history.HistoryQuery(words=words)).exists():
        yield _in_the_log(_("Audit log"), words)


def _calls_about(words: str) -> Iterator[SearchHit]:
    """Find the calls about an API object, which has no page for our staff."""
    for pk in logged_calls.of_id(words).values_list("business", flat=True).distinct()[:EACH]:
        business = Business.objects.get(pk=pk)
        address = pages_above.address("request_log", business.public_id)
        yield SearchHit(
            business.name, f"Calls about {words}", f"{address}?q={words}", "scroll-text"
        )
    if history.fitting(history.HistoryQuery(words=words)).exists():
        yield _in_the_log(_("Audit log"), words)


def _in_the_log(title: str, words: str) -> SearchHit:
    address = reverse("governance:log", query={"q": words})
    return SearchHit(title, _("Entries about %(id)s") % {"id": words}, address, "scroll-text")


_BY_PREFIX: dict[str, Callable[[str], Iterator[SearchHit]]] = {
    "app": _drafts,
    "biz": lambda words: _businesses(Q(public_id=words)),
    "glr": _going_live,
    "grt": _grants,
    "nrq": _networks,
    "req": _requests,
    "svc": _keys,
    "usr": _people,
    "whe": _endpoints,
    "whr": _endpoints,
}
# In the audit log, `sub_` is a sub-account of the API, which has no page. See `search.register`.
LINKED = (_BY_PREFIX.keys() | CASES.keys() | BUSINESSES.keys()) - {"sub"}
