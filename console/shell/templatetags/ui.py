"""Template tags for page components, each with its template and stylesheet."""

from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from django import forms, template
from django.conf import settings
from django.template.defaultfilters import date
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from lucide import IconDoesNotExist
from lucide.templatetags.lucide import lucide

from console.core import clock, confidential_text, status_table
from console.core.links import holds_web_address
from console.shell import brand, cell_labels, navigation, page_refresh, search, tones, typeface
from console.shell.charts import DayChart, FunnelBar
from console.shell.modules import ConsoleModule

register = template.Library()

# Texts ---------------------------------------------------------------------------------------


@register.simple_tag(takes_context=True)
def by_compliance(context: template.Context, written: str, *, confidential: bool = True) -> str:
    """Return a text that compliance wrote, or to other readers only that compliance decided."""
    viewer = context["frame"].visitor
    is_reader = viewer is not None and viewer.may("confidential_view", None)
    return confidential_text.read(written, all_reasons=is_reader or not confidential)


# Block tags ----------------------------------------------------------------------------------


@register.simple_block_tag
def card(
    content: str,
    title: str,
    sub: str = "",
    id: str = "",  # noqa: A002  the HTML attribute's name, used in templates
    action: str = "",
    flush: str = "yes",
) -> str:
    """Render a titled panel around the block; `flush="no"` adds padding."""
    name = id or "card-" + "".join(c if c.isalnum() else "-" for c in title.lower())
    context = {"title": title, "sub": sub, "id": name, "action": action, "content": content}
    return render_to_string("components/card.html", context | {"padded": flush == "no"})


@register.simple_block_tag
def actions(content: str) -> str:
    """Capture content for a component's slot: `{% actions as act %}...{% endactions %}`."""
    return content


@register.simple_block_tag
def badge(content: str, tone: str = "neutral", icon: str = "") -> SafeString:
    """Render a word in its tone, with the matching icon."""
    mark = _icon(icon, 14) if icon else ""
    return format_html('<span class="badge" data-tone="{}">{}{}</span>', tone, mark, content)


@register.simple_block_tag
def notice(content: str, tone: str = "neutral", icon: str = "info", title: str = "") -> str:
    """Render a note with something to know before continuing."""
    context = {"content": content, "tone": tone, "icon": icon, "title": title, "role": ""}
    return render_to_string("components/notice.html", context)


@register.simple_block_tag
def facts(content: str, look: str = "") -> SafeString:
    """Render a list of names and values; put `<dt>` and `<dd>` inside."""
    return format_html('<dl class="facts {}">{}</dl>', look, content)


@register.simple_block_tag
def table(content: str, label: str) -> SafeString:
    """Render a table that scrolls if it is wider than the screen; on a phone, rows are cards."""
    return format_html(
        '<div class="scroll" tabindex="0" role="group" aria-label="{}">'
        '<table class="t">{}</table></div>',
        label,
        # Safe: the block is rendered, and its labels are the words of its own headers.
        mark_safe(cell_labels.add_to(content)),  # noqa: S308
    )


@register.simple_block_tag
def empty_state(content: str, title: str, icon: str = "inbox") -> str:
    """Render the empty state of a list; put one sentence and one action inside."""
    context = {"title": title, "icon": icon, "content": content}
    return render_to_string("components/empty.html", context)


# Words and values ----------------------------------------------------------------------------


@register.simple_tag
def icon(name: str, size: int = 16) -> str:
    """Render a lucide icon, next to a word of the same meaning."""
    return _icon(name, size)


register.filter(search.leads_somewhere)


@register.filter
def days_since(at: datetime) -> int:
    """Return how many whole days ago that was."""
    return (clock.now() - at).days


@register.filter
def unlinked(name: str, otherwise: str) -> str:
    """Return a name for use in an e-mail, or `otherwise` if it contains a web address.

    Old names, saved before such names were refused, would otherwise become links.
    """
    return otherwise if holds_web_address(name) else name


@register.filter
def as_text(value: Any) -> str:
    """Return a recorded value as text: a list with commas, an object as `name: value`."""
    match value:
        case None:
            return ""
        case dict():
            return ", ".join(f"{name}: {as_text(said)}" for name, said in value.items())
        case list():
            return ", ".join(map(as_text, value))
    return str(value)


@register.simple_tag
def public_modules() -> list[ConsoleModule]:
    """Return the modules that everybody may open; also used on error pages."""
    return navigation.public()


@register.simple_tag
def console_name() -> str:
    """Return the console's name, which the company that runs it chooses."""
    return str(settings.CONSOLE_NAME)


@register.simple_tag
def brand_link() -> str:
    """Link the company's colour, if one is set. It follows the base stylesheet."""
    if not (href := brand.address(brand.SHEET, brand.sheet())):
        return ""
    return format_html('<link rel="stylesheet" href="{}">', href)


@register.inclusion_tag("components/brand.html")
def brand_mark() -> dict[str, str]:
    """Render the company's logo, or our icon, and the console's name as a link to the start."""
    return {"name": settings.CONSOLE_NAME, "logo": brand.address(brand.LOGO, brand.logo())}


@register.simple_tag
def support_email() -> str:
    """Return the support address, or "" if none is set."""
    return str(settings.SUPPORT_EMAIL)


@register.inclusion_tag("components/pill.html")
def pill(thing: Any) -> dict[str, str]:
    """Render an object's status in its tone."""
    tone = status_table.row_of(thing).tone
    return {"label": thing.get_status_display(), "tone": tone, "icon": tones.ICONS[tone]}


@register.inclusion_tag("components/copy.html")
def copy(value: Any) -> dict[str, Any]:
    """Render a value with a copy button; without scripts, a double click selects it."""
    return {"value": value}


# No template: its final newline would add a space, before a full stop for example.
@register.simple_tag
def moment(at: datetime | None, unit: str = "minute") -> SafeString:
    """Render a time in the user's time zone, in UTC on hover. `unit`: second, minute or date."""
    if not at:
        return format_html('<span class="quiet">{}</span>', _("Not yet"))
    forms = {"date": "j M Y", "second": "j M Y, H:i:s T"}
    words = date(timezone.localtime(at), forms.get(unit, "j M Y, H:i T"))
    exact = clock.iso(at)
    return format_html('<time datetime="{0}" title="{0}" data-moment>{1}</time>', exact, words)


@register.inclusion_tag("components/fingerprint.html")
def fingerprint(sha256: str, short: str = "") -> dict[str, Any]:
    """Render a SHA-256 in groups of eight characters, for comparison by eye."""
    groups = [sha256[i : i + 8] for i in range(0, len(sha256), 8)]
    return {"groups": groups[:1] if short else groups, "whole": sha256, "short": short}


@register.inclusion_tag("components/progress.html")
def progress(done: int, total: int, label: str, tone: str = "ok") -> dict[str, Any]:
    """Render progress: "3 of 12 sections completed" above its bar."""
    share = round(100 * done / total, 1) if total else 0
    return {"done": done, "total": total, "label": label, "share": share, "tone": tone}


@register.inclusion_tag("components/steps.html")
def steps(items: Any) -> dict[str, Any]:
    """Render stages with `title`, `state` (done, current, todo, problem), `detail` and `url`."""
    return {"items": items}


@register.inclusion_tag("components/milestones.html")
def milestones(items: Any, label: str) -> dict[str, Any]:
    """Render the same stages in one row, for the top of a case, with `who` and `when`."""
    return {"items": items, "label": label}


# Charts --------------------------------------------------------------------------------------


@register.inclusion_tag("components/ring.html")
def ring(value: int, out_of: int, label: str, tone: str = "accent") -> dict[str, Any]:
    """Render a share of a total as an arc."""
    share = round(100 * value / out_of) if out_of else 0
    return {"value": value, "label": label, "share": share, "tone": tone}


@register.inclusion_tag("components/bars.html")
def bars(items: Any) -> dict[str, Any]:
    """Render rows of (label, value, total), each above its bar."""
    rows = [(name, value, of, round(100 * value / of) if of else 0) for name, value, of in items]
    return {"rows": rows}


@register.inclusion_tag("components/day_chart.html")
def day_chart(chart: DayChart, name: str) -> dict[str, Any]:
    """Render bars for each day with legend and table; `name` is unique on the page."""
    return {"chart": chart, "id": name}


@register.inclusion_tag("components/funnel.html")
def funnel(stages: list[FunnelBar]) -> dict[str, Any]:
    """Render how many rows are at each stage, each a link to them, above centred bars."""
    return {"stages": stages}


# Forms and lists -----------------------------------------------------------------------------


@register.simple_tag
def field(
    bound: forms.BoundField,
    label: str = "",
    hint: str = "",
    width: str = "",
    *,
    alternative: bool = False,
) -> str:
    """Render a form field with its label, hint and errors, linked for screen readers."""
    from console.shell import form_fields

    look = form_fields.Look(label, hint, width, alternative)
    return render_to_string("components/field.html", form_fields.describe(bound, look))


@register.inclusion_tag("components/summary.html")
def error_summary(*forms_: Any) -> dict[str, Any]:
    """Render the errors of these forms at the top of the page, each a link to its field."""
    from console.shell import form_fields

    return {"problems": [line for form in forms_ if form for line in form_fields.problems(form)]}


@register.inclusion_tag("components/keeps_fresh.html", takes_context=True)
def keeps_fresh(context: template.Context, state: str, seconds: int = 5) -> dict[str, Any]:
    """Render the element that reloads the page on a new state (console.shell.page_refresh)."""
    address, header = context["request"].get_full_path(), page_refresh.STATE
    return {"address": address, "header": header, "state": state, "seconds": seconds}


@register.simple_tag
def typeface_link() -> str:
    """Link the typeface and its stylesheet if they were created at set-up.

    The font is asked for at once, so that the first page is not drawn in another one.
    """
    if (addresses := typeface.addresses()) is None:
        return ""
    return format_html(
        '<link rel="preload" href="{}" as="font" type="font/woff2" crossorigin>'
        '<link rel="stylesheet" href="{}">',
        *addresses,
    )


@register.simple_tag
def sheet(package: str) -> str:
    """Link the stylesheet of a package's own pages, if it has one."""
    name = f"css/pages/{package}.css"
    known = bool(package) and (Path(settings.ROOT) / "static" / name).is_file()
    return format_html('<link rel="stylesheet" href="{}">', static(name)) if known else ""


# Cached, because a page shows dozens and the package parses XML for each.
@cache
def _icon(name: str, size: int) -> SafeString:
    try:
        drawing = lucide(str(name), size=size, aria_hidden="true")
    except IconDoesNotExist:
        # Show the page without the icon; a test finds unknown names.
        return mark_safe("")
    # Safe: the drawing comes from the icon package, never from user input.
    return mark_safe(drawing)  # noqa: S308
