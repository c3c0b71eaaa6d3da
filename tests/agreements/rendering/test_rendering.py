"""Rendering documents in a separate process: the same bytes, our typefaces, or an error."""

import os
import re
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agreements.document_templates import selection, template_library
from agreements.rendering import document_html, render_process, renderer
from agreements.rendering.document_pdf import written_text
from agreements.rendering.render_process import RenderProcess
from agreements.rendering.renderer import Attachment, RenderFailed
from console.core.isolation import PROJECT, isolation
from tests.agreements.document_templates.facts import CROSSING, KIOSK, facts
from tests.agreements.rendering import pdf
from tests.agreements.rendering.test_writing import HOSTILE
from tests.waiting import eventually

PAGE = "<!DOCTYPE html><html lang=en><head><title>T</title></head><body>{}</body></html>"
ASKED = {"variant": "pdf/ua-1", "attachments": [], "spelled": False}


def rendered(body, extra=""):
    template = template_library.load("ERC")
    return renderer.render_pdf(PAGE.format(body).encode(), [*template.styles, extra])


@pytest.fixture(scope="module")
def pack():
    """A whole pack, rendered once for read-only tests: the cover and the other documents."""
    chosen = selection.select(CROSSING, selection.RULESETS.newest()).documents
    cover, *others = (template_library.load(one.code, one.template_version) for one in chosen)
    rendered = [renderer.render_template(one, CROSSING) for one in others]
    index = [
        {
            "order": place,
            "code": template.code,
            "title": template.title,
            "version": template.version,
            "reference": template.reference,
            "pages": one.pages,
            "unsigned_sha256": one.unsigned_sha256,
        }
        for place, (template, one) in enumerate(zip(others, rendered, strict=True), 2)
    ]
    return [renderer.render_template(cover, {**CROSSING, "index": index}), *rendered]


@pytest.fixture
def another():
    """A second render process, like that of another worker."""
    process = RenderProcess()
    yield process
    process.stop()


def test_a_pack_is_rendered_in_order_with_two_fingerprints_each(pack):
    assert [one.reference.split("@")[0] for one in pack[:3]] == ["agr:CVR", "agr:ERC", "agr:MSA"]
    for one in pack:
        assert one.pdf.startswith(b"%PDF-")
        assert one.pages >= 1
        assert re.fullmatch(r"[0-9a-f]{64}", one.html_sha256)
        assert re.fullmatch(r"[0-9a-f]{64}", one.unsigned_sha256)


def test_the_cover_names_the_fingerprint_of_every_other_document(pack):
    cover = pack[0].html.decode()
    assert all(one.unsigned_sha256 in cover for one in pack[1:])
    assert pack[0].unsigned_sha256 not in cover


def test_only_our_typeface_is_used(pack):
    assert {name for one in pack for name in pdf.fonts(one.pdf)} == {"Paper", "Paper-Semi-Bold"}


def test_every_clause_can_be_copied_from_the_pdf(pack):
    for one in pack:
        letters = pdf.letters(one.pdf)
        title = template_library.find(one.reference).title.replace(" ", "")
        head = f"(?:{re.escape(title)}PackAGP-2026-000042)?"
        running = re.compile(head + re.escape(one.reference) + rf"Page\d+?of{one.pages}")
        body = running.sub("", letters)
        for text in re.findall(r"<p data-clause.*?>(.*?)</p>", one.html.decode()):
            words = written_text(f"<body>{text}</body>".encode()).replace(" ", "")
            assert words in body, one.reference


def test_documents_say_their_language_and_title_and_carry_tags(pack):
    for one in pack:
        root = pdf.catalog(one.pdf)
        assert root["/Lang"] == "en"
        assert root["/MarkInfo"]["/Marked"]
        assert root["/ViewerPreferences"]["/DisplayDocTitle"]
        assert "/StructTreeRoot" in root
        metadata = root["/Metadata"].data
        assert b"pdfuaid" in metadata
        assert template_library.find(one.reference).issued.encode() in metadata


def test_two_processes_render_the_same_bytes(another):
    template = template_library.load("PS-REM")
    html = document_html.compose(template, CROSSING)
    asked = {**ASKED, "html": html.decode(), "styles": template.styles}
    assert another.ask(asked) == render_process.process().ask(asked)
    assert another.profile() == render_process.process().profile()
    assert another.pid != render_process.process().pid


def test_hostile_names_are_rendered_as_they_are():
    for name in HOSTILE:
        wrong = facts(KIOSK)
        wrong["business"]["legal_name"] = name
        found = renderer.render(template_library.load("SBX").reference, wrong)
        assert name.replace(" ", "") in pdf.letters(found.pdf)


@pytest.mark.parametrize(
    "body",
    [
        '<img src="http://127.0.0.1/x.png" alt="">',
        '<img src="file:///etc/hostname" alt="">',
        '<p style="background: url(http://127.0.0.1/x)">x</p>',
        '<object data="data:text/html,x"></object>',
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/hostname"/></svg>',
    ],
)
def test_nothing_is_fetched(body):
    with pytest.raises(RenderFailed, match=r"may not fetch|Failed to render SVG"):
        rendered(body)


@pytest.mark.parametrize(
    "css", ["@import url(http://127.0.0.1/x.css);", "p { background: url(asset:00) }"]
)
def test_style_sheets_fetch_nothing_either(css):
    with pytest.raises(RenderFailed, match="may not fetch"):
        rendered("<p>x</p>", css)


def test_a_complaint_of_the_renderer_fails():
    with pytest.raises(RenderFailed, match="Ignored"):
        rendered("<p>x</p>", "p { colour: red }")


def test_text_that_is_not_on_the_page_fails():
    with pytest.raises(RenderFailed, match="on no page"):
        rendered("<p>seen</p><p class='gone'>unseen</p>", ".gone { display: none }")
    with pytest.raises(RenderFailed, match="on no page"):
        rendered("<p>seen</p>", "p { text-transform: uppercase }")
    with pytest.raises(RenderFailed, match="text leaves page 1"):
        rendered("<p class='far'>far away</p>", ".far { margin-left: 300mm; white-space: nowrap }")


def test_a_document_with_too_many_pages_fails():
    with pytest.raises(RenderFailed, match="more than 120"):
        rendered("<p class='own'>x</p>" * 121, ".own { break-before: page }")


def test_a_document_that_takes_too_long_fails_and_the_next_one_works():
    slow = RenderProcess(seconds=0.05)
    body = PAGE.format("<p>word </p>" * 20000)
    with pytest.raises(RenderFailed, match=r"longer than 0\.05 seconds"):
        slow.ask({**ASKED, "html": body, "styles": []})
    slow.seconds = 60
    styles = template_library.load("ERC").styles
    assert "pdf" in slow.ask({**ASKED, "html": PAGE.format("<p>x</p>"), "styles": styles})
    slow.stop()


def test_a_process_that_died_is_replaced():
    process = render_process.process()
    process.profile()
    before = process.pid or 0
    os.kill(before, signal.SIGKILL)
    assert rendered("<p>still here</p>")[1] == 1
    assert process.pid != before


def test_the_process_ends_with_its_parent():
    code = (
        "from agreements.rendering import render_process as r; p = r.process(); p.profile();"
        "print(p.pid, p._folder.name, flush=True); import time; time.sleep(60)"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=PROJECT)
    assert parent.stdout
    child, folder = parent.stdout.readline().decode().split()
    parent.kill()
    parent.communicate()
    eventually(lambda: not Path(f"/proc/{child}/cmdline").exists())
    assert not Path(folder).exists()


def test_the_process_has_no_network():
    if not isolation():
        pytest.skip("This system lets no one give up the network; the socket guard remains.")
    process = render_process.process()
    process.profile()
    ours = Path("/proc/self/ns/net").readlink()
    assert Path(f"/proc/{process.pid}/ns/net").readlink() != ours


def test_files_can_be_attached_with_a_given_date():
    attachment = Attachment("manifest.json", b"{}", "2026-11-21T08:00:00+00:00", "The manifest")
    template = template_library.load("ERC")
    html = document_html.compose(template, CROSSING)
    first, second = (
        renderer.render_pdf(html, template.styles, variant="pdf/a-3u", attachments=[attachment])[0]
        for _ in range(2)
    )
    assert first == second
    assert "/EmbeddedFiles" in pdf.catalog(first)["/Names"]


def test_the_profile_names_what_renders():
    profile = renderer.profile()
    assert {"weasyprint", "pydyf", "fonttools", "pango", "harfbuzz", "writer"} <= profile.keys()
    assert renderer.profile_file() == renderer.profile_file()


def test_a_wording_that_does_not_fit_is_refused():
    template = template_library.load("AUT")
    body = template.files["body.html"].replace(b"</h2>", b"{{ '2026-13-45' | day }}</h2>", 1)
    never = replace(template, files={**template.files, "body.html": body})
    with pytest.raises(RenderFailed, match=r"no month|must be in"):
        renderer.render_template(never, CROSSING)
