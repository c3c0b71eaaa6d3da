"""The table says which version is current; files it does not know are refused."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, transaction

from agreements.document_templates import template_library
from agreements.document_templates.selection import RULESETS
from agreements.document_templates.template_library import TemplateVersions, codes
from agreements.lifecycle import PackStatus
from agreements.models import Pack
from agreements.packs import pack_versions
from agreements.packs.commercial_terms import LAW_TABLES, PRICE_LISTS
from console.core.refusals import NotReady
from console.governance import health_notices
from console.publishing import checks, in_use, published_kinds
from console.publishing.files import Files, forget
from onboarding.intake import answers, applications
from onboarding.questionnaire.loading import EDITIONS
from onboarding.risk.model import MODELS
from tests import factories
from tests.onboarding.answered import OWNER_ROWS
from tests.publishing.changed import copied, write

LATER = "2099-01"
ERC = TemplateVersions("ERC")


def test_what_is_current_is_one_query(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert in_use.current(EDITIONS) is EDITIONS.newest()


def test_several_kinds_are_one_query_too(django_assert_num_queries):
    with django_assert_num_queries(1):
        assert in_use.versions(EDITIONS, MODELS, RULESETS).keys() == {
            *("questionnaire", "risk_model", "ruleset")
        }


def test_a_version_is_asked_of_the_table_once(django_assert_num_queries):
    factories.published(EDITIONS, "2026-11")
    in_use._seen.clear()

    with django_assert_num_queries(1):
        in_use.load(EDITIONS, "2026-11")
        in_use.load(EDITIONS, "2026-11")


def test_a_version_that_nobody_put_in_use_is_refused(monkeypatch):
    monkeypatch.setattr(in_use, "_seen", set())
    with pytest.raises(in_use.NotPublished, match="2026-11 was never put in use"):
        in_use.load(EDITIONS, "2026-11")


def test_before_the_first_start_nothing_is_current(monkeypatch, tmp_path):
    fresh = copied(EDITIONS, tmp_path, monkeypatch)
    object.__setattr__(fresh, "key", "fresh")

    with pytest.raises(in_use.NotPublished, match="run `prepare`"):
        in_use.current(fresh)


# Files changed after they were put in use


@pytest.fixture
def changed(tmp_path, monkeypatch):
    files = copied(EDITIONS, tmp_path, monkeypatch)
    write(files, files.versions()[-1], like=files.versions()[-1], declaration="Whatever.")
    forget()
    yield files
    forget()


def test_it_is_refused_when_it_is_loaded(changed):
    with pytest.raises(in_use.NotPublished, match="is not the file that was put in use"):
        in_use.current(changed)


def test_it_is_refused_at_start_and_told_to_operators(changed):
    (said,) = in_use.changed_files()

    for verb in ("begin", "check"):
        with pytest.raises(CommandError, match="is not the file that was put in use"):
            call_command("publish", verb)
    (error,) = checks.files_are_those_in_use(None, databases=["default"])
    assert (error.id, error.msg) == ("console.E010", said)
    assert said in health_notices.told()


def test_a_file_that_is_gone_is_told_too(tmp_path, monkeypatch):
    files = copied(EDITIONS, tmp_path, monkeypatch)
    (files.folder / f"{files.versions()[-1]}.json").unlink()

    assert "cannot be read" in " ".join(in_use.changed_files())


def test_a_kind_that_no_package_knows_any_more_is_told(monkeypatch):
    monkeypatch.delitem(published_kinds._kinds, EDITIONS.key)

    assert "No package knows the kind questionnaire" in " ".join(in_use.changed_files())


def test_files_as_they_were_put_in_use_are_in_order():
    assert in_use.changed_files() == []
    assert checks.files_are_those_in_use(None, databases=["default"]) == []
    assert checks.files_are_those_in_use(None) == []


# Versions pinned at the start


def test_an_application_keeps_the_edition_that_it_began_with_and_a_new_one_gets_the_later():
    factories.published(EDITIONS, "2026-11")
    before = factories.an_application()
    factories.published(EDITIONS, "2026-11.2")
    after = factories.an_application()

    assert (before.edition, after.edition) == ("2026-11", "2026-11.2")
    assert answers.answer_set(before).edition is EDITIONS.load("2026-11")
    submitted = applications.submit(
        factories.filled(before, **OWNER_ROWS),
        declared=True,
        by=factories.owner_of(before.business),
    )
    assert submitted.submission.edition == "2026-11"


def test_an_assessment_names_the_model_in_use(tmp_path, monkeypatch):
    models = copied(MODELS, tmp_path, monkeypatch)
    write(models, LATER, like="2026-11", key="another")
    monkeypatch.setattr("onboarding.risk.assessments.MODELS", models)
    factories.published(models, LATER)

    assessment = factories.a_reviewed_application().assessment

    assert (assessment.model_version, assessment.model_sha256) == (
        LATER, models.load(LATER).sha256,
    )  # fmt: skip


def test_a_pack_keeps_the_versions_that_it_began_with():
    pack = factories.a_pack(PackStatus.GENERATING)
    factories.the_first_rules()
    later = factories.a_pack(PackStatus.GENERATING)

    contents: list[Files[Any]] = [RULESETS, LAW_TABLES, PRICE_LISTS]
    newest = {one.key: one.versions()[-1] for one in contents}
    newest |= {f"template:{code}": template_library.versions(code)[-1] for code in codes()}
    assert pack.versions == newest
    assert pack_versions.versions_of(pack).ruleset is RULESETS.newest()
    assert pack_versions.versions_of(later).ruleset is RULESETS.load("2026-11")


@pytest.mark.parametrize("rules", RULESETS.versions())
def test_the_next_pack_has_the_template_that_is_in_use_whatever_the_rules_name(rules):
    opened = factories.a_pack(PackStatus.GENERATING)
    factories.published(ERC, "1.0.0")
    if rules != RULESETS.versions()[-1]:
        factories.published(RULESETS, rules)
    following = factories.a_pack(PackStatus.GENERATING)
    chosen = [one for one in RULESETS.load(rules).rules if one.code == ERC.code]

    assert [one.version for one in pack_versions.templates_of(following, chosen)] == ["1.0.0"]
    assert [one.version for one in pack_versions.templates_of(opened, chosen)] == ["1.1.0"]


def test_a_pack_of_an_earlier_release_has_the_templates_that_its_rules_name():
    chosen = [one for one in RULESETS.load("2026-11.2").rules if one.code == ERC.code]

    (template,) = pack_versions.templates_of(Pack(versions={"ruleset": "2026-11.2"}), chosen)

    assert template.version == "1.1.0"


def test_the_database_keeps_the_versions_of_a_pack():
    pack = factories.a_pack(PackStatus.GENERATING)

    with pytest.raises(DatabaseError, match="versions of agreements_pack"), transaction.atomic():
        Pack.objects.filter(pk=pack.pk).update(versions={"ruleset": "2026-11"})


def test_templates_that_were_not_put_in_use_are_not_rendered(monkeypatch):
    monkeypatch.setattr(in_use, "_seen", set())
    chosen = [one for one in RULESETS.load("2026-11").rules if one.code == "ERC"]

    with pytest.raises(NotReady, match=r"Template ERC 1\.0\.0 was never put in use"):
        pack_versions.templates_of(Pack(versions={ERC.key: "1.0.0"}), chosen)
