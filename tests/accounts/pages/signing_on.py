"""Shared by the tests of signing in at the OpenID provider."""

from django.urls import reverse

from console.accounts import access
from console.accounts.models import Session, User

BEGIN = reverse("accounts:provider")
CONFIRM = reverse("accounts:confirm")
QUEUE = reverse("onboarding:review_queue")
SIGN_IN = reverse("accounts:sign_in")
REFUSED = "We could not sign you in with your company account"
NO_GROUP = "in no group that gives a role"


def signed_in(client, provider, *, to=QUEUE):
    return client.get(provider.sign_in(client.get(f"{BEGIN}?next={to}").url))


def roles():
    return access.roles_of(User.objects.get(email="ada@example.com"))


def nobody_is_in():
    return not Session.objects.exclude(user=None).exists()
