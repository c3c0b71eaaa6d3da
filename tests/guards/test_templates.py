"""Every template compiles, links only to existing pages, and has no inline style or script."""

import re

from django.template import TemplateSyntaxError, engines
from django.urls import get_resolver

from tests.guards.tree import ROOT
from tests.matrices.pages import HOSTED, PAGES, SHOP

FOLDER = ROOT / "templates"
PATHS = sorted(path for path in FOLDER.rglob("*") if path.suffix in (".html", ".txt"))
NAMES = {page.name for page in PAGES + HOSTED + SHOP}
INLINE = (
    (re.compile(r"<style\b", re.IGNORECASE), "an inline style sheet"),
    (re.compile(r"\sstyle\s*=\s*[\"']", re.IGNORECASE), "an inline style"),
    (re.compile(r"<script\b(?![^>]*\ssrc=)", re.IGNORECASE), "an inline script"),
    (re.compile(r"<[^>]*\son[a-z]+\s*=", re.IGNORECASE), "an inline handler"),
    (re.compile(r"javascript:", re.IGNORECASE), "a script as an address"),
    (re.compile(r"\|safe\b|\{%\s*autoescape\s+off"), "words that are not escaped"),
)


def faults(name: str, text: str) -> list[str]:
    """Return what is wrong in a template's text."""
    # Arguments of template tags are not HTML attributes.
    page = re.sub(r"\{%(?!\s*autoescape).*?%\}", "", text, flags=re.DOTALL)
    found = [f"{name}: {what}" for pattern, what in INLINE if pattern.search(page)]
    found += [f"{name}: {{% url {to} %}}" for to in addresses(text) if to not in NAMES]
    try:
        engines["django"].from_string(text)
    except TemplateSyntaxError as fault:
        found.append(f"{name}: {fault}")
    return found


def addresses(text: str) -> list[str]:
    """Return the names of the pages that a template links to."""
    return re.findall(r"\{%\s*url\s+[\"']([^\"']+)[\"']", text)


def test_every_template():
    found = []
    for path in PATHS:
        text = path.read_text()
        if path.suffix == ".txt":
            text = text.replace("autoescape off", "autoescape on")  # plain-text e-mails
        found += faults(str(path.relative_to(FOLDER)), text)
    assert found == []


# Links and their parameters


def test_every_link_gives_what_its_page_needs():
    wrong = []
    for path in PATHS:
        for to, rest in re.findall(
            r"\{%\s*url\s+[\"']([^\"']+)[\"']\s*([^%]*)%\}", path.read_text()
        ):
            given = [word for word in rest.split() if word != "as"]
            given = given[:-1] if re.search(r"\bas\b", rest) else given
            if len(given) not in needed(to):
                wrong.append(f"{path.name}: {to} {rest}")
    assert wrong == []


def needed(name: str) -> set[int]:
    """Return the possible numbers of parameters in a page's address."""
    return {len(page.parameters) for page in PAGES + HOSTED + SHOP if page.name == name}


def test_the_table_of_pages_is_the_whole_one():
    assert get_resolver().url_patterns
    assert len(NAMES) > 50


# E-mails caused by somebody other than their reader


EMAILS = {path.stem: path.read_text() for path in (FOLDER / "emails").glob("[!_]*.txt")}
STOP = re.compile(r"\{% include \"emails/_(not_me|technical_contact|signatory).txt\" %\}")
WARNING = "warns of the reader's own account: whoever reads the mail could stop the next warning"
MEMBERS = "goes to members alone: who confirmed an address and joined leaves to hear no more"
AUDITORS = "goes to our own auditors, who must hear of it"
STAFF = "goes to our own staff about their work"
NOT_STOPPED = {
    "password_guessed": WARNING,
    "code_guessed": WARNING,
    "changed_password": WARNING,
    "set_up_authenticator": WARNING,
    "added_passkey": WARNING,
    "removed_passkey": WARNING,
    "renewed_recovery_codes": WARNING,
    "used_recovery_code": WARNING,
    "email_change_asked": WARNING,
    "access_changed": MEMBERS,
    "application_declined": MEMBERS,
    "application_returned": MEMBERS,
    "application_submitted": MEMBERS,
    "go_live_decided": MEMBERS,
    "money_held": MEMBERS,
    "grant_changed": MEMBERS,
    "information_requested": MEMBERS,
    "pack_executed": MEMBERS,
    "live_key_created": MEMBERS,
    "case_assigned": STAFF,
    "information_answered": STAFF,
    "case_note": STAFF,
    "your_turn": STAFF,
    "your_role": STAFF,
    "staff_digest": STAFF,
    "audit_chain_broken": AUDITORS,
    "audit_head": AUDITORS,
    "staff_changed": AUDITORS,
}


def wrongly_stopped(emails: dict[str, str]) -> list[str]:
    """Return e-mails that have neither a link to stop them nor a reason, or that have both."""
    stopped = {name for name, text in emails.items() if STOP.search(text)}
    return sorted((emails.keys() - stopped) ^ NOT_STOPPED.keys())


def test_every_email_that_somebody_else_causes_can_be_stopped():
    assert wrongly_stopped(EMAILS) == []


# Components


def components() -> set[str]:
    """Return the components for pages; names with a leading underscore are parts of components."""
    names = {path.name for path in (FOLDER / "components").glob("*.html")}
    return {name for name in names if not name.startswith("_")}


def test_every_component_has_a_tag_or_a_page():
    folders = [ROOT / "console" / "shell", FOLDER]
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    text = "".join(path.read_text() for path in files if path.suffix in (".py", ".html"))
    assert [name for name in components() if f"components/{name}" not in text] == []


def test_every_component_that_a_tag_renders_has_its_file():
    tags = (ROOT / "console/shell/templatetags/ui.py").read_text()
    rendered = set(re.findall(r"components/([a-z_]+\.html)", tags))
    assert len(rendered) > 5
    assert rendered - {path.name for path in (FOLDER / "components").glob("*.html")} == set()
