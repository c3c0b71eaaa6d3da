"""Long lists are counted only up to a bound, so every page costs the same."""

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import RequestFactory
from django.test.utils import CaptureQueriesContext

from console.accounts.models import Business
from console.shell import paging
from tests import factories


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(paging, "MOST", 3)


def pager(page, request):
    context = {"page": page, "things": "businesses"}
    return render_to_string("components/pager.html", context, request)


@pytest.mark.usefixtures("few")
@pytest.mark.parametrize(("there", "said"), [(3, "of 3 "), (5, "of more than 3 ")])
def test_more_than_the_bound_is_said_and_not_counted(there, said):
    for _ in range(there):
        factories.a_business()
    request = RequestFactory().get("/", {"page": "9"})
    with CaptureQueriesContext(connection) as asked:
        page = paging.page_of(request, Business.objects.order_by("pk"), size=2)
        shown = pager(page, request)

    assert said in shown
    assert (page.number, len(page.object_list)) == (2, 1)
    assert all("LIMIT" in one["sql"] for one in asked.captured_queries)
