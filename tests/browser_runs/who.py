"""Who may open a page."""

from console.accounts.models import User
from console.accounts.roles import Permission, holders
from tests.matrices.pages import PAGES, Page
from tests.matrices.world import World

# Answers that are no pages: one cannot look at them, or they are one's own file.
FILES = {
    "shell:live",
    "shell:ready",
    "agreements:progress",  # a part of a page, for htmx
    "agreements:review_copy",
    "agreements:sealed_copy",
    "agreements:file",
    "agreements:case_file",
    "agreements:case_review_copy",
    "agreements:case_sealed_copy",
    "agreements:instructions",
    "agreements:withdrawn_seals",
    "api:openapi",
    "api:postman",
    "api:verifier",
}
SHOWN = [page for page in PAGES if "GET" in page.required.methods and page.name not in FILES]


def who_may_open(page: Page, world: World) -> User | None:
    """A person for whom the page is; nobody for a page that is everybody's."""
    policy = page.required
    if policy.kind == "public":
        return None
    if policy.kind == "person":
        return world.people["owner"]
    roles = {str(role) for role in holders(Permission(policy.permission))}
    wanted = ("owner", "administrator") if policy.kind == "business" else sorted(roles)
    return world.people[next(role for role in wanted if role in roles)]
