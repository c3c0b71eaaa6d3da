"""Every page has a policy, and only the listed pages are public."""

from console.core import page_policies
from tests.matrices.pages import HOSTED, PAGES, SHOP


def test_every_page_has_a_policy():
    for page in PAGES:
        assert page.policy is not None, page
        assert page.policy.methods, page
        assert page.policy.kind in ("public", "person") or page.policy.permission, page


PUBLIC = {
    "shell:home", "shell:theme", "shell:mail", "shell:mail_message",
    "shell:brand_sheet", "shell:brand_logo",
    "accounts:sign_up", "accounts:check_mail", "accounts:confirm_email", "accounts:sign_in",
    "accounts:code", "accounts:passkey_options", "accounts:provider", "accounts:provider_back",
    "accounts:forgot", "accounts:reset",
    "accounts:invitation", "accounts:not_me", "accounts:object_to_email",
    "agreements:instructions", "agreements:verify", "agreements:withdrawn_seals",
    "governance:heads", "api:problem", "api:openapi", "api:problems", "api:signing",
    "api:webhooks_guide", "api:checkout_guide", "api:verifier", "api:demo_receiver",
    "api:demo_receive", "api:docs", "api:docs_search", "api:postman", "api:events",
    "api:product", "api:sandbox", "api:versions", "api:provider_event",
    "apikeys:report_exposed", "onboarding:result_ready",
}  # fmt: skip


def test_only_these_pages_are_public():
    assert {page.name for page in PAGES if page.required.kind == "public"} == PUBLIC


def test_the_pages_of_the_checkout_host_are_public_and_only_read():
    assert {page.name for page in HOSTED} == {
        "hosted:session", "hosted:embed", "hosted:state", "hosted:tag",
        "hosted:widget", "hosted:logo", "hosted:brand_sheet",
    }  # fmt: skip
    assert all(page.required.kind == "public" for page in HOSTED)
    assert all(page.required.methods == ("GET",) for page in HOSTED)
    # A link from the console would be relative to the wrong host.
    assert not {page.name for page in HOSTED} & {page.name for page in PAGES}


def test_the_pages_of_the_demo_shop_are_public():
    assert {page.name for page in SHOP} == {"shop:page", "shop:order", "shop:pay"}
    assert all(page.required.kind == "public" for page in SHOP)


def test_business_pages_name_their_business_and_no_other_page_does():
    for page in PAGES:
        assert (page.required.kind == "business") == ("business_id" in page.parameters), page


def test_a_policy_says_what_it_accepts():
    assert page_policies.PagePolicy("public", ("GET", "POST")).accepts == {"GET", "HEAD", "POST"}
    assert page_policies.PagePolicy("public", ("POST",)).accepts == {"POST"}
