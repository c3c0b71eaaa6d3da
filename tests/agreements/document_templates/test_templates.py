"""A template version is its files: published once, and refused if they change."""

import json
import shutil

import pytest
from django.core.management import call_command

from agreements.document_templates import document_fonts, template_library
from agreements.document_templates.template_library import LIBRARY, TemplateRefused
from console.core.digests import sha256_hex


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library with one published document that a test may damage."""
    shutil.copytree(LIBRARY / "house", tmp_path / "house")
    shutil.copytree(LIBRARY / "ERC", tmp_path / "ERC")
    monkeypatch.setattr(template_library, "LIBRARY", tmp_path)
    template_library._load.cache_clear()
    yield tmp_path
    template_library._load.cache_clear()


def says(library, published, **changes):
    """Change the schema of one version."""
    path = library / "ERC" / published / "schema.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))


def test_a_reference_leads_back_to_its_version():
    template = template_library.load("MSA")
    assert template.reference == f"agr:MSA@{template.version}#{template.sha256}"
    assert template_library.find(template.reference) is template
    stored = (LIBRARY / "MSA" / template.version / "bundle.lock").read_bytes()
    assert sha256_hex(stored) == template.sha256


def test_the_lock_names_wording_style_schema_and_typeface():
    files = json.loads(template_library.load("MSA", "1.0.0").lock)["body"]["files"]
    named = [one["name"] for one in files if not one["name"].startswith("fonts/")]
    assert named == [
        *("body.html", "clauses.json", "house/1.0.0/faces.css", "house/1.0.0/paper.css"),
        *("house/1.0.0/paper.html", "house/1.0.0/parts.html"),
        *("schema.json", "style.css", "summary.md"),
    ]
    assert {one["sha256"] for one in files} >= set(document_fonts.by_sha256())


@pytest.mark.parametrize(
    "name", ["ERC/1.0.0/body.html", "ERC/1.0.0/summary.md", "house/1.0.0/paper.css"]
)
def test_a_changed_file_is_refused(library, name):
    (library / name).write_text((library / name).read_text() + "\n")
    with pytest.raises(TemplateRefused, match="not as it was published"):
        template_library.load("ERC", "1.0.0")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"issued": "2026-13-45"}, "issued is wrong"),
        ({"titel": "A slip"}, "titel is not known"),
        ({"facts": {"pack.number": 1}}, "facts.pack.number is wrong"),
        ({"version": "1.1.0"}, "says that it is ERC@1.1.0"),
    ],
)
def test_a_schema_that_says_something_else_is_refused_in_words(library, changes, told):
    says(library, "1.0.0", **changes)
    with pytest.raises(TemplateRefused, match=rf"schema\.json of ERC@1\.0\.0: .*{told}"):
        template_library.read("ERC", "1.0.0")


@pytest.mark.parametrize("text", ["[]", "{", '{"code": "ERC", "code": "ERC"}'])
def test_a_schema_that_cannot_be_read_is_refused(library, text):
    (library / "ERC/1.0.0/schema.json").write_text(text)
    with pytest.raises(TemplateRefused, match=r"schema\.json of ERC@1\.0\.0"):
        template_library.read("ERC", "1.0.0")


def test_a_version_without_a_lock_is_not_published(library):
    (library / "ERC/1.0.0/bundle.lock").unlink()
    with pytest.raises(TemplateRefused, match="not published"):
        template_library.load("ERC", "1.0.0")


def test_a_reference_with_another_hash_is_refused():
    with pytest.raises(TemplateRefused, match="not the wording 000000000000"):
        template_library.find(f"agr:MSA@1.0.0#{'0' * 64}")


@pytest.mark.parametrize("reference", ["MSA", "agr:MSA@1.0.0", "agr:../x@1.0.0#" + "0" * 64])
def test_what_is_not_a_reference_is_refused(reference):
    with pytest.raises(TemplateRefused, match="not the reference"):
        template_library.find(reference)


def test_an_unknown_document_or_version_is_refused():
    with pytest.raises(TemplateRefused, match="no NDA"):
        template_library.read("NDA")
    with pytest.raises(TemplateRefused, match=r"no MSA@9\.0\.0"):
        template_library.read("MSA", "9.0.0")


def test_a_published_version_cannot_be_published_again(library):
    path = library / "ERC/1.0.0/body.html"
    path.write_text(path.read_text().replace("five business days", "six business days"))
    with pytest.raises(TemplateRefused, match="Make a new version"):
        template_library.publish(template_library.read("ERC", "1.0.0"))


def test_a_new_version_stands_beside_the_old_one(library):
    for version in ("1.10.0", "1.9.0"):
        shutil.copytree(library / "ERC/1.0.0", library / "ERC" / version)
        says(library, version, version=version)
    (library / "ERC/1.10.0/bundle.lock").unlink()
    template_library.publish(template_library.read("ERC"))
    assert template_library.versions("ERC") == ["1.0.0", "1.1.0", "1.9.0", "1.10.0"]
    assert template_library.load("ERC").version == "1.10.0"


def test_the_newest_of_every_document_has_the_newest_style():
    newest = template_library.versions("house")[-1]
    styles = {template_library.load(code).schema.house for code in template_library.codes()}
    assert styles == {newest}


def test_every_document_has_a_title_a_date_and_a_summary():
    for code in template_library.codes():
        template = template_library.load(code)
        assert template.title
        assert template_library.load(code, "1.0.0").issued == "2026-11-21"
        assert template.issued >= "2026-11-21"
        assert template.files["summary.md"].startswith(b"- ")


def test_publishing_again_changes_nothing(capsys):
    call_command("publish_templates")
    said = capsys.readouterr().out.splitlines()
    assert len(said) == sum(
        len(template_library.versions(code)) for code in template_library.codes()
    )
    assert all(line.startswith("unchanged  agr:") for line in said)
