"""Concurrent publishing: one of two requests takes effect, and the other gets a clear error."""

from functools import partial

import pytest

from console.accounts.roles import Role
from console.audit.models import Entry
from console.core.refusals import WrongStatus
from console.publishing import publications
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from tests import factories
from tests.waiting import in_the_middle_of

pytestmark = pytest.mark.django_db(transaction=True)


def written(code):
    return Entry.objects.filter(code=code).count()


def test_two_heads_put_one_version_in_use_once():
    row = factories.proposed(EDITIONS, "2026-11")
    heads = [factories.one_of_staff(Role.HEAD_OF_COMPLIANCE) for _ in range(2)]

    with pytest.raises(WrongStatus) as refused:
        in_the_middle_of(
            *(
                partial(publications.put_in_use, row, reason="Checked.", older=True, by=head)
                for head in heads
            )
        )

    said = f"{heads[0]} has put {row} in use already. Nothing was changed."
    assert refused.value.message == said
    assert written("publication.put_in_use") == 1


def test_two_proposals_of_a_kind_leave_one():
    people = [factories.one_of_staff(Role.COMPLIANCE) for _ in range(2)]
    kind = factories.kind_of(EDITIONS)

    with pytest.raises(publications.AlreadyProposed, match=f"{people[0]} has proposed"):
        in_the_middle_of(
            *(partial(publications.propose, kind, "2026-11", by=one) for one in people)
        )

    assert Publication.objects.proposed().get().proposed_by == people[0]
    assert written("publication.proposed") == 1


@pytest.mark.parametrize("swapped", [False, True])
def test_one_puts_in_use_while_another_withdraws(swapped):
    row = factories.proposed(EDITIONS, "2026-11")
    head = factories.one_of_staff(Role.HEAD_OF_COMPLIANCE)
    other = factories.one_of_staff(Role.COMPLIANCE)
    presses = [
        partial(publications.put_in_use, row, reason="Checked.", older=True, by=head),
        partial(publications.withdraw, row, by=other),
    ]

    with pytest.raises(WrongStatus):
        in_the_middle_of(*(reversed(presses) if swapped else presses))

    row.refresh_from_db()
    assert (row.in_use_from is None, row.withdrawn_at is None) == (swapped, not swapped)
