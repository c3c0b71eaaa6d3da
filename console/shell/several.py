"""Do one thing to several rows of a list, and say what was done, what was not, and why.

A form sends a `row` for each row that was chosen: its ID and, after a space, what the page showed,
so that nobody changes something newer. Each row is a change of its own with its own audit entry.
Only for what can be done again or undone: no approval, decision or clearing.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from console.core.refusals import Refused

T = TypeVar("T")

# Maximum number of rows at once: as many as the longest page of a list has.
MOST = 100


def chosen(request: HttpRequest) -> dict[str, str]:
    """Return what the page showed of each chosen row, by ID. No ID of a row is unprintable."""
    rows = (ascii(value)[1:-1].partition(" ") for value in request.POST.getlist("row")[:MOST])
    return {public_id: seen for public_id, _space, seen in rows}


def each(
    request: HttpRequest,
    wanted: Mapping[str, str],
    found: Sequence[tuple[str, str, T]],
    act: Callable[[T, str], object],
) -> None:
    """Call `act` with each row found and what the page showed of it, and tell the outcome.

    `found` are ID, name and object of the rows that exist and that this person may see.
    """
    done: list[str] = []
    refused: list[str] = []
    for public_id, name, row in found:
        try:
            act(row, wanted[public_id])
        except Refused as refusal:
            refused.append(f"{name}: {refusal.message}")
        else:
            done.append(name)
    missed = len(refused) + len(wanted) - len(found)
    if gone := len(wanted) - len(found):
        said = ngettext("%(count)s is no longer there.", "%(count)s are no longer there.", gone)
        refused.append(said % {"count": gone})
    if not wanted:
        messages.warning(request, _("Nothing was changed: choose at least one row."))
    if done:
        said = _("Done for %(count)s: %(names)s.")
        messages.success(request, said % {"count": len(done), "names": ", ".join(done)})
    if refused:
        said = _("Not done for %(count)s.") % {"count": missed}
        messages.warning(request, " ".join([said, *refused]))
