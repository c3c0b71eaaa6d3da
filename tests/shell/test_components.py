"""The component tags escape their content, label fields, and link fields to help and errors."""

from datetime import UTC, datetime
from typing import get_args

import pytest
from django import forms
from django.conf import settings
from django.template import Context, RequestContext, Template
from django.test import RequestFactory

from console.core.refusals import Blocker, NotAllowed, NotReady, Stale
from console.core.status_table import Tone
from console.shell import tones
from console.shell.forms import attempt
from console.shell.keyset_pages import KeysetPage


class Ask(forms.Form):
    """A form with one field of each type."""

    name = forms.CharField(label="Legal name", help_text="As it is registered")
    lei = forms.CharField(label="LEI", required=False)
    kind = forms.ChoiceField(
        label="What kind?", choices=[("a", "Limited"), ("b", "Trust")], widget=forms.RadioSelect
    )
    country = forms.ChoiceField(label="Country", choices=[("", "Choose one"), ("NG", "Nigeria")])
    sure = forms.BooleanField(label="I have read this")


def rendered(source: str, **context: object) -> str:
    return Template(source).render(Context(context))


def test_a_card_is_named_by_its_heading_and_escapes_it():
    page = rendered("{% card title=name %}<p>{{ name }}</p>{% endcard %}", name="<b>Acme</b>")

    assert "<b>Acme</b>" not in page
    assert '<h2 id="card--b-acme--b--h">&lt;b&gt;Acme&lt;/b&gt;</h2>' in page
    assert 'aria-labelledby="card--b-acme--b--h"' in page


def test_a_cell_names_its_column_for_a_phone():
    page = rendered(
        """{% table label="Keys" %}<thead><tr><th scope="col">Name</th>
        <th scope="col">"Live"
          &amp; on</th><th scope="col"><span class="sr">Actions</span></th>
        <th scope="col">Used</th></tr></thead>
        <tbody><tr><th scope="row">a</th><td class="end">yes</td><td>Open</td><td>
        </td></tr><tr><td colspan="3">none</td><td>{{ used }}</td></tr></tbody>{% endtable %}""",
        used="<b>",
    )

    assert '<th scope="row">a</th>' in page
    assert '<td class="end" data-label="&quot;Live&quot; &amp; on">yes</td>' in page
    assert "<td>Open</td><td></td>" in page
    assert '<td colspan="3" data-label="Name">none</td>' in page
    assert '<td data-label="Used">&lt;b&gt;</td>' in page


def test_a_badge_says_with_an_icon_what_its_colour_says():
    page = rendered('{% badge tone="ok" icon="check" %}{{ word }}{% endbadge %}', word="<i>")

    assert 'data-tone="ok"' in page
    assert "&lt;i&gt;" in page
    assert 'aria-hidden="true"' in page


def test_a_field_is_tied_to_its_hint_and_its_error():
    form = Ask({})
    page = rendered("{% field form.name %}", form=form)

    assert '<label for="id_name">Legal name</label>' in page
    assert 'aria-describedby="id_name_hint id_name_error"' in page
    assert 'aria-invalid="true"' in page
    assert "Enter legal name" in page


def test_each_error_of_a_field_has_a_line_of_its_own():
    form = Ask({})
    form.add_error("name", "Leave out the address")
    page = rendered("{% field form.name %}", form=form)

    error = '<span class="sr">Error: </span>'
    assert f"{error}Enter legal name<br>{error}Leave out the address</span>" in page


def test_what_may_be_left_out_says_so():
    assert "(optional)" in rendered("{% field form.lei %}", form=Ask())
    assert "(optional)" not in rendered("{% field form.name %}", form=Ask())


def test_choices_stand_in_a_fieldset_with_their_question():
    page = rendered("{% field form.kind %}", form=Ask())

    assert "<fieldset" in page
    assert "<legend>What kind?</legend>" in page
    assert 'for="id_kind_1"' in page


def test_a_field_rendered_by_django_looks_the_same():
    form = Ask()
    assert (
        rendered("{{ form.name.as_field_group }}", form=form).strip()
        == rendered("{% field form.name %}", form=form).strip()
    )


def test_the_summary_links_to_what_is_wrong():
    form = Ask({"name": "Acme"})
    page = rendered("{% error_summary form %}", form=form)

    assert '<a href="#id_kind_0">Answer “What kind?”</a>' in page
    assert '<a href="#id_country">Choose country</a>' in page
    assert '<a href="#id_sure">Tick “I have read this” to continue</a>' in page
    assert "id_name" not in page


def test_a_page_without_a_problem_has_no_summary():
    assert "There is a problem" not in rendered("{% error_summary form %}", form=Ask())


def test_a_refusal_becomes_the_forms_own_error():
    def refuse() -> None:
        raise NotReady("Not yet.", blockers=[Blocker("owner", "Add an owner.")])

    form = Ask({})
    assert attempt(form, refuse) is None
    assert list(form.non_field_errors()) == ["Not yet.", "Add an owner."]


@pytest.mark.parametrize("refusal", [NotAllowed("No."), Stale("Old.")])
def test_who_may_not_and_what_is_old_is_not_the_forms_business(refusal):
    def refuse() -> None:
        raise refusal

    with pytest.raises(type(refusal)):
        attempt(Ask({}), refuse)


def test_a_moment_is_in_utc_and_exact_on_hover():
    page = rendered("{% moment at %}.", at=datetime(2026, 11, 21, 8, 0, tzinfo=UTC))

    assert 'datetime="2026-11-21T08:00:00Z"' in page
    assert "21 Nov 2026, 08:00 UTC</time>." in page
    assert "Not yet" in rendered("{% moment at %}", at=None)


def test_progress_can_be_read_and_heard():
    page = rendered('{% progress 3 12 "sections completed" %}')

    assert "3 of 12 sections completed" in page
    assert 'aria-valuenow="3"' in page
    assert 'width="25.0%"' in page
    assert 'width="0%"' in rendered('{% progress 0 0 "things" %}')


def test_a_fingerprint_stands_in_groups_of_eight():
    page = rendered("{% fingerprint sha %}", sha="0123456789abcdef" * 4)

    assert page.count("<span>01234567</span>") == 4
    assert "01234567…" in rendered('{% fingerprint sha "short" %}', sha="0123456789abcdef" * 4)


def test_a_copy_can_be_selected_where_no_script_runs():
    page = rendered("{% copy value %}", value='a"b')
    assert "<span>a&quot;b</span>" in page
    assert 'data-copy="a&quot;b"' in page


def test_the_links_to_other_pages_keep_the_filters():
    request = RequestFactory().get("/", {"status": "open", "after": "b"})
    context = RequestContext(request, {"page": KeysetPage([], "c")})
    page = Template('{% include "components/next_page.html" %}').render(context)

    assert 'href="?status=open&amp;after=c"' in page
    assert 'href="?status=open"' in page


@pytest.mark.parametrize("tone", get_args(Tone))
def test_a_tone_is_one_of_the_stylesheets_and_has_its_icon(tone):
    sheet = (settings.ROOT / "static" / "css" / "console.css").read_text()

    assert tone in tones.ICONS
    assert tone == "neutral" or f'data-tone="{tone}"' in sheet
