"""A user's name, time zone and choice of optional e-mails."""

from collections.abc import Iterable

from django.db import transaction

from console.accounts.models import OptionalMail, User
from console.audit import log as audit


@transaction.atomic
def change(
    person: User,
    *,
    name: str,
    time_zone: str,
    wanted_mail: Iterable[str],
    work_mail: str = "",
    by: User,
) -> None:
    """Save a user's details. Earlier signatures and approvals keep the earlier name.

    Without `work_mail`, which only our staff choose, that stays as it is.
    """
    person = User.objects.locked(person)
    wanted = frozenset(wanted_mail)
    was = _stated(person)
    person.name, person.time_zone = name, time_zone
    person.unwanted_mail = [str(kind) for kind in OptionalMail if kind not in wanted]
    person.work_mail = work_mail or person.work_mail
    person.save(update_fields=["name", "time_zone", "unwanted_mail", "work_mail"])
    audit.record("person.changed_details", person, by=by, before=was, after=_stated(person))


def _stated(person: User) -> dict[str, object]:
    return {
        "name": person.name,
        "time_zone": person.time_zone,
        "unwanted_mail": list(person.unwanted_mail),
        "work_mail": str(person.work_mail),
    }


def who_want(kind: OptionalMail, addresses: Iterable[str]) -> list[str]:
    """Return the addresses without those of users who turned off this kind of e-mail."""
    listed = list(addresses)
    off = User.objects.filter(email__in=listed, unwanted_mail__contains=[str(kind)])
    unwilling = set(off.values_list("email", flat=True))
    return [address for address in listed if address not in unwilling]
