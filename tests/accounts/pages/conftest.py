"""An OpenID provider at which staff sign in."""

import pytest

from tests.accounts import openid_provider


@pytest.fixture
def provider(settings):
    with openid_provider.running() as provider:
        settings.OIDC_ISSUER = provider.issuer
        settings.OIDC_CLIENT_ID = openid_provider.CLIENT
        settings.OIDC_CLIENT_SECRET = openid_provider.SECRET
        settings.OIDC_ROLE_GROUPS = [("reviewers", "compliance"), ("audit", "auditor")]
        settings.BASE_URL = "http://testserver"
        yield provider
