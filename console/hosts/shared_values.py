"""What all hosts of an installation must share, compared with what the database knows.

register("VAULT_KEYS", compare)   in AppConfig.ready()
join(by)                          store what is new here, unless something differs
compare_all()                     -> what this host has, what is new, and what differs
accept_secret_key(...)            another SECRET_KEY for all hosts

The first host stores the values, and later hosts must have the same. A row is only ever added, so
of two first hosts one wins.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from console.accounts.actors import Actor
from console.audit import log as audit
from console.core import blobs, key_uses
from console.hosts.models import SharedValue

KEYS = {"VAULT_KEYS": "VAULT_KEYS", "KEY_PEPPER": "KEY_PEPPERS"}
SECRET_KEY, STORE = "SECRET_KEY", "DOCUMENT_STORE"
# The folder of the file by which a document store is recognised.
FOLDER = "installation"
_TO_BE_MADE = ""
_SHOWN = 8


@dataclass(frozen=True)
class HostComparison:
    """What this host has, shortened for people; what is new; and what differs, as sentences."""

    here: str = ""
    new: dict[int, str] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)


@dataclass
class Installation:
    """The installation as the audit log names it."""

    public_id: str = "installation"


# Gets the values that the database knows, by number.
Comparer = Callable[[Mapping[int, str]], HostComparison]
_comparers: dict[str, Comparer] = {}


class NothingToAccept(Exception):
    """Raised if the SECRET_KEY here is the installation's already."""


def register(setting: str, comparer: Comparer) -> None:
    """Register a comparison. Called from AppConfig.ready(), nowhere else."""
    if setting in _comparers:
        raise ValueError(f"The comparison of {setting} is registered twice.")
    _comparers[setting] = comparer


def compare_all() -> dict[str, HostComparison]:
    """Return every comparison by its setting."""
    known: dict[str, dict[int, str]] = {setting: {} for setting in _comparers}
    for setting, number, value in SharedValue.objects.values_list("setting", "number", "value"):
        known.setdefault(setting, {})[number] = value
    return {setting: compare(known[setting]) for setting, compare in _comparers.items()}


def obstacle() -> str:
    """Say why this host must not serve: it has other keys, or another document store."""
    found = compare_all()
    return " ".join(problems({name: found[name] for name in (*KEYS, SECRET_KEY, STORE)}))


def problems(found: Mapping[str, HostComparison]) -> list[str]:
    """Return the differences of these comparisons."""
    return [problem for one in found.values() for problem in one.problems]


def join(*, by: Actor) -> None:
    """Store what is new on this host, unless something differs."""
    with transaction.atomic():
        if new := _new(compare_all()):
            # Waits for another host that is adding the same, whose value is then used.
            rows = [SharedValue(setting=one, number=n, value=value) for one, n, value in new]
            SharedValue.objects.bulk_create(rows, ignore_conflicts=True)
            _record(new, by)
            transaction.set_rollback(bool(problems(compare_all())))


@transaction.atomic
def accept_secret_key(*, because: str, by: Actor) -> None:
    """Let the SECRET_KEY of this host be the installation's from now on."""
    known = dict(SharedValue.objects.filter(setting=SECRET_KEY).values_list("number", "value"))
    value = _mark(SECRET_KEY, settings.SECRET_KEY.encode())
    if not known or known[max(known)] == value:
        raise NothingToAccept("The hosts have this SECRET_KEY already.")
    number = max(known) + 1
    SharedValue.objects.create(setting=SECRET_KEY, number=number, value=value)
    _record([(SECRET_KEY, number, value)], by, because=because)


def key_marks() -> dict[str, dict[int, str]]:
    """Return the check value of each numbered key in the settings."""
    return {
        name: {number: _mark(name, key) for number, key in getattr(settings, own).items()}
        for name, own in KEYS.items()
    }


def marks_of_stores() -> QuerySet[SharedValue]:
    """Return the row that names the file of the document store."""
    return SharedValue.objects.filter(setting=STORE)


def of_keys(setting: str, known: Mapping[int, str]) -> HostComparison:
    """Compare numbered keys. One that is missing here may be gone if no row needs it."""
    here = key_marks()[setting]
    wrong = [
        f"Key {number} of {setting} is not the key {number} of the other hosts."
        for number in sorted(here.keys() & known.keys())
        if here[number] != known[number]
    ] + [
        f"{setting} lacks key {number}, which stored rows need."
        for number in sorted(known.keys() - here.keys())
        if key_uses.is_needed(setting, number)
    ]
    shown = ", ".join(f"{number}:{value[:_SHOWN]}" for number, value in here.items())
    new = {number: here[number] for number in here.keys() - known.keys()}
    return HostComparison(shown, new, wrong)


def of_secret_key(known: Mapping[int, str]) -> HostComparison:
    """Compare SECRET_KEY with the last one that was accepted."""
    here = _mark(SECRET_KEY, settings.SECRET_KEY.encode())
    if not known:
        return HostComparison(here[:_SHOWN], {1: here})
    wrong = [] if known[max(known)] == here else ["SECRET_KEY is not that of the other hosts."]
    return HostComparison(here[:_SHOWN], problems=wrong)


def of_store(known: Mapping[int, str]) -> HostComparison:
    """Look for the file in the document store that the database names.

    A store that does not answer is no other store.
    """
    if not known:
        return HostComparison(new={1: _TO_BE_MADE})
    ((_, sha256),) = known.items()
    try:
        if blobs.exists(sha256, FOLDER):
            return HostComparison(sha256[:_SHOWN])
    except blobs.StoreUnavailable:
        return HostComparison()
    wrong = "The document store is not that of the other hosts. Look at DOCUMENT_STORE."
    return HostComparison("another", problems=[wrong])


def _new(found: Mapping[str, HostComparison]) -> list[tuple[str, int, str]]:
    """Return what is new, in one order on all hosts; nothing if something differs."""
    if problems(found):
        return []
    return sorted(
        (
            name,
            number,
            blobs.put(secrets.token_bytes(32), FOLDER) if value == _TO_BE_MADE else value,
        )
        for name, one in found.items()
        for number, value in one.new.items()
    )


def _record(new: list[tuple[str, int, str]], by: Actor, because: str = "") -> None:
    after = {f"{setting} {number}": value for setting, number, value in new}
    audit.record("installation.values_added", Installation(), by=by, after=after, because=because)


def _mark(about: str, key: bytes) -> str:
    """Return a keyed hash of a fixed label: it recognises the key and reveals nothing about it."""
    salt = f"console.hosts.{about}"
    return salted_hmac(salt, b"", secret=key, algorithm="sha256").hexdigest()
