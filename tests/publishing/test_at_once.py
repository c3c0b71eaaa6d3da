"""Concurrent publishing: one of two requests takes effect, and the other gets a clear error."""

import threading

import pytest
from django.db import connection

from console.accounts.roles import Role
from console.audit.models import Entry
from console.core.refusals import Refused
from console.publishing import publications
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*presses):
    """Call them all at once in separate threads; return the sorted messages, "" for success."""
    together, said = threading.Barrier(len(presses)), []

    def press(verb):
        try:
            together.wait(60)
            verb()
            said.append("")
        except Refused as refused:
            said.append(refused.message)
        finally:
            connection.close()

    threads = [threading.Thread(target=press, args=[verb]) for verb in presses]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    return sorted(said)


def written(code):
    return Entry.objects.filter(code=code).count()


def test_two_heads_put_one_version_in_use_once():
    row = factories.proposed(EDITIONS, "2026-11")
    heads = [factories.one_of_staff(Role.HEAD_OF_COMPLIANCE) for _ in range(2)]

    done, told = at_once(*(lambda by=head: publications.put_in_use(row, by=by) for head in heads))

    row.refresh_from_db()
    assert (done, told) == (
        "",
        f"{row.put_in_use_by} has put {row} in use already. Nothing was changed.",
    )
    assert written("publication.put_in_use") == 1


def test_two_proposals_of_a_kind_leave_one():
    people = [factories.one_of_staff(Role.COMPLIANCE) for _ in range(2)]
    kind = factories.kind_of(EDITIONS)

    done, told = at_once(
        *(lambda by=one: publications.propose(kind, "2026-11", by=by) for one in people)
    )

    waiting = Publication.objects.proposed().get()
    assert done == ""
    assert told.startswith(f"{waiting.proposed_by} has proposed")
    assert written("publication.proposed") == 1


def test_one_puts_in_use_while_another_withdraws():
    row = factories.proposed(EDITIONS, "2026-11")
    head, other = (
        factories.one_of_staff(Role.HEAD_OF_COMPLIANCE),
        factories.one_of_staff(Role.COMPLIANCE),
    )

    done, told = at_once(
        lambda: publications.put_in_use(row, by=head), lambda: publications.withdraw(row, by=other)
    )

    row.refresh_from_db()
    assert done == ""
    assert told
    assert (row.in_use_from is None) != (row.withdrawn_at is None)
