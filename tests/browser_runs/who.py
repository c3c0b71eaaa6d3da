"""A person who may open each page, and the routes that are not pages."""

from console.accounts.models import User
from console.accounts.roles import Permission, holders
from tests.matrices.pages import PAGES, Page
from tests.matrices.world import World

# Responses that are not pages: they cannot be looked at, or are the user's own file.
FILES = {
    "accounts:provider",  # a redirect to the provider, if there is one
    "accounts:provider_back",
    "agreements:progress",  # a fragment of a page for htmx
    "agreements:review_copy",
    "agreements:sealed_copy",
    "agreements:file",
    "agreements:case_file",
    "agreements:case_review_copy",
    "agreements:case_sealed_copy",
    "onboarding:evidence_content",
    "onboarding:evidence_download",
    "onboarding:owners_file",
    "agreements:instructions",
    "agreements:withdrawn_seals",
    "api:logo_preview",
    "api:openapi",
    "api:postman",
    "api:verifier",
    "shell:brand_logo",
    "shell:brand_sheet",
}
SHOWN = [page for page in PAGES if "GET" in page.required.methods and page.name not in FILES]


def who_may_open(page: Page, world: World) -> User | None:
    """Return a person who may open the page, or None for a public page."""
    policy = page.required
    if policy.kind == "public":
        return None
    if policy.kind == "person":
        return world.people["owner"]
    roles = {str(role) for role in holders(Permission(policy.permission))}
    wanted = ("owner", "administrator") if policy.kind == "business" else sorted(roles)
    return world.people[next(role for role in wanted if role in roles)]
