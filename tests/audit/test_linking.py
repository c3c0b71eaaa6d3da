"""Entries are linked after their commit: each once, in batches, and none is lost."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connection, transaction

from console.accounts.actors import SYSTEM
from console.audit import chain, log
from console.audit.models import ChainLink, Entry, UnlinkedEntry
from tests.audit.test_log import COMMITS, COPIES, tamper, write
from tests.databases import as_owner


def unlinked():
    return UnlinkedEntry.objects.count()


@COMMITS
def test_what_commits_late_is_linked_late_and_once():
    business = write(1)
    with as_owner() as late:
        late.execute(COPIES, [1, 1])  # before the next entry, and committed after it is linked
        write(2)
        chain.link()
        assert (chain.head().count, unlinked()) == (7, 0)
        with transaction.atomic():
            log.record("business.renamed", business, by=SYSTEM)
            chain.link()  # an entry of this transaction, which may be rolled back, has to wait
            assert unlinked() == 1
        assert chain.head().count == 8
    assert unlinked() == 1
    assert chain.verify() == []
    ((last, key),) = ChainLink.objects.order_by("-seq").values_list("seq", "entry_id")[:1]
    assert (last, unlinked()) == (9, 0)
    assert key < Entry.objects.latest("pk").pk


@COMMITS
def test_several_who_link_while_others_write_link_each_entry_once():
    business, stop = write(1), threading.Event()

    def linking(_):
        try:
            while not stop.is_set():
                chain.link()
        finally:
            connection.close()

    def writing(_):
        try:
            for _ in range(50):
                with transaction.atomic():
                    log.record("business.renamed", business, by=SYSTEM)
        finally:
            connection.close()

    with ThreadPoolExecutor(7) as pool:
        linkers = [pool.submit(linking, number) for number in range(3)]
        list(pool.map(writing, range(4)))
        stop.set()
        assert [one.result() for one in linkers] == [None] * 3

    assert chain.verify() == []
    assert chain.head().count == Entry.objects.count() == 203


@COMMITS
def test_an_entry_that_is_gone_before_it_is_linked_is_found():
    write(1)
    tamper("DELETE FROM audit_entry WHERE id = (SELECT max(id) FROM audit_entry)")
    assert [one.what for one in chain.verify()] == [
        "1 entries were deleted before they were in the chain"
    ]


@COMMITS
def test_entries_that_are_in_the_chain_are_not_linked_again():
    write(1)
    chain.link()
    head = chain.head().anchor()
    chain.link()
    assert chain.head().anchor() == head
