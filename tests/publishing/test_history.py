"""The database protects the publication history, tested in SQL as the site's own role."""

import pytest
from django.db import DatabaseError, connection, transaction

from console.accounts.roles import Role
from console.publishing.models import Publication
from onboarding.questionnaire.loading import EDITIONS
from tests import factories

ROW = "UPDATE publishing_publication SET {} WHERE id = %(id)s"
INSERT = (
    "INSERT INTO publishing_publication (public_id, kind, version, sha256, proposed_by_id,"
    " proposed_at, put_in_use_by_id, in_use_from)"
    " VALUES ('pub_x', %(kind)s, %(version)s, %(sha256)s, {}, now(), {}, {})"
)
PERSON, OTHER = "%(person)s", "%(other)s"


def refused(statement: str, by: str, row: Publication) -> None:
    values: dict[str, str | int | None] = {
        "id": row.pk,
        "kind": row.kind,
        "version": row.version,
        "sha256": row.sha256,
        "person": row.proposed_by_id,
        "other": factories.one_of_staff(Role.HEAD_OF_COMPLIANCE).pk,
    }
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == ("site",)
        with pytest.raises(DatabaseError, match=by), transaction.atomic():
            cursor.execute(statement, values)


@pytest.mark.parametrize(
    ("change", "by"),
    [
        (f"put_in_use_by_id = {PERSON}, in_use_from = now()", "two_people_put_a_version_in_use"),
        ("in_use_from = now()", "two_people_put_a_version_in_use"),
        (f"put_in_use_by_id = {OTHER}", "two_people_put_a_version_in_use"),
        (f"proposed_by_id = {OTHER}", "as it was proposed"),
        ("sha256 = repeat('0', 64)", "as it was proposed"),
        ("version = '2099-01'", "as it was proposed"),
        (f"put_in_use_by_id = {OTHER}, in_use_from = '2020-01-01'", "comes after"),
        (f"withdrawn_by_id = {OTHER}", "only_a_proposal_is_withdrawn"),
    ],
)
def test_a_proposal_becomes_what_it_says_or_nothing(change, by):
    refused(ROW.format(change), by, factories.proposed(EDITIONS, "2026-11"))


@pytest.mark.parametrize(
    "statement",
    [
        ROW.format("put_in_use_by_id = NULL, in_use_from = NULL"),
        ROW.format("in_use_from = now()"),
        ROW.format("proposed_at = now()"),
        "DELETE FROM publishing_publication WHERE id = %(id)s",
    ],
)
@pytest.mark.parametrize("who", ["people", "the system"])
def test_what_was_in_use_is_kept_as_it_was(statement, who):
    row = (
        factories.published(EDITIONS, "2026-11")
        if who == "people"
        else Publication.objects.get(kind=EDITIONS.key)
    )

    refused(statement, "never changes|permission denied", row)


def test_a_proposal_is_kept_too():
    refused(
        "DELETE FROM publishing_publication WHERE id = %(id)s",
        "permission denied",
        factories.proposed(EDITIONS, "2026-11"),
    )


@pytest.mark.parametrize(
    ("people", "by"),
    [
        ((PERSON, OTHER, "now()"), "begins as a proposal"),
        (("NULL", "NULL", "now()"), "comes after"),
        (("NULL", OTHER, "now()"), "comes after|two_people"),
        (("NULL", "NULL", "NULL"), "two_people"),
        ((PERSON, "NULL", "NULL"), "one_proposal_of_a_kind_at_a_time"),
    ],
)
def test_nothing_comes_in_by_another_way(people, by):
    refused(INSERT.format(*people), by, factories.proposed(EDITIONS, "2026-11"))


def test_a_version_is_one_file_for_ever():
    row = factories.proposed(EDITIONS, "2026-11")
    forged = Publication.objects.create(
        kind="another", version="1", sha256="0" * 64, proposed_at=row.proposed_at,
        in_use_from=row.proposed_at,
    )  # fmt: skip
    later = Publication.objects.create(
        kind=forged.kind, version="1", sha256="1" * 64, proposed_by=row.proposed_by,
        proposed_at=row.proposed_at,
    )  # fmt: skip

    change = f"put_in_use_by_id = {OTHER}, in_use_from = now() + interval '1 hour'"
    refused(ROW.format(change), "one file for ever", later)
