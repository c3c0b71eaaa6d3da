"""URLs of these pages, and the text of a page without tags."""

import re
from html import unescape
from typing import Any

from django.http import HttpResponseBase
from django.test import Client
from django.urls import reverse

from agreements.models import Document, Pack
from agreements.packs import packs
from console.accounts.models import User
from console.accounts.roles import Role
from tests import factories


def own(name: str, pack: Pack, *args: str) -> str:
    return reverse(f"agreements:{name}", args=[pack.business.public_id, *args])


def of_case(name: str, pack: Pack, *args: str) -> str:
    return reverse(f"agreements:{name}", args=[pack.application.public_id, *args])


def nth_document(pack: Pack, place: int = 1) -> Document:
    return packs.documents_of(pack)[place - 1]


def words(page: Any) -> str:
    """Return the text of a page with normalised white space."""
    main = page.content.decode().partition('<main id="main"')[2].partition("</main>")[0]
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", main)).split())


def staff(client: Client, *roles: Role) -> Client:
    return factories.signed_in(client, factories.one_of_staff(*roles))


def code_of(client: Client) -> dict[str, str]:
    """Return the field with a one-time code of whoever is signed in."""
    person = User.objects.get(pk=client.session["_auth_user_id"])
    return {"code": factories.a_code(factories.seed_of(person))}


def landed(response: HttpResponseBase, url: str) -> bool:
    """Tell whether a form redirected to that page."""
    return response.status_code == 302 and response.headers["Location"] == url
