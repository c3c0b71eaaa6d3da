"""R26: every text of the console's pages is marked for translation."""

import json
import re
from collections.abc import Iterator

from django.apps import apps
from lxml import html  # type: ignore[import-untyped]

from agreements.packs.commercial_terms import PRICE_LISTS
from api.reference import openapi
from console.catalogue import definitions
from onboarding.questionnaire.loading import EDITIONS
from onboarding.reference import countries
from onboarding.restrictions import restricted_list
from tests.browser_runs.who import SHOWN, who_may_open
from tests.matrices import world as building
from tests.matrices.pages import Page
from tests.matrices.world import World
from tests.proofs import Proven, proof
from tests.pseudo_locale import pseudo_locale, unmarked

# English is the language of the API, its documentation and the agreements.
ENGLISH = re.compile(r"api:(?!module|log|explain|staff)|agreements:(document|case_document)")
NAMES = {"Ctrl K", "Access Console", "name@example.com", "SHA-256", "UTC"}
TEXTS = "//body//text()[not(ancestor::script or ancestor::code or ancestor::pre or ancestor::svg)]"
LABELS = "//title/text() | //@aria-label | //@title | //@placeholder | //@alt"
NO_WORDS = re.compile(
    r"[a-z_-]+[.:_@-][a-z_.:*-]+|[A-Z]+ /\S*|[A-Z_]{3,}|\dxx|\S+…|\S+\.pdf"  # identifiers
    r"|[A-Z]\w+(/[\w -]+)+"  # time zones
    r"|(\d+ [A-Z][a-z]{2} )?\d{4}|\d\d:\d\d(:\d\d)? UTC|[\d.]+ ms|[A-Z-]+ \d+\.\d+\.\d+"
    r"|[A-Z]{3} [\d,.]+( .*)?|[\d,.]+ [A-Z]{3,5}|[\d.]+%( .*)?"  # amounts and prices
)


@proof("R26", "marked texts", asked="0 texts of a page that are not marked for translation")
def test_every_text_of_a_page_is_marked_for_translation(proven: Proven, world: World):
    with pseudo_locale():
        seen = {text: page.name for page in SHOWN for text in _texts(page, world)}
    data = _data()
    wrong = [f"{page}: {text}" for text, page in seen.items() if not _is_data(text, data)]
    figure = f"{len(SHOWN)} pages, {len(wrong)} texts that are not marked"
    proven.reached(figure, met=not wrong and len(SHOWN) > 100, wrong=wrong)


def _texts(page: Page, world: World) -> Iterator[str]:
    """Yield the page's texts that are not marked."""
    if ENGLISH.match(page.name):
        return
    answer = building.client_of(who_may_open(page, world)).get(page.at(world.values))
    if not answer.headers.get("Content-Type", "").startswith("text/html") or not answer.content:
        return
    tree = html.fromstring(answer.content)
    texts = (*tree.xpath(TEXTS), "\x1f", *tree.xpath(LABELS))
    for text in unmarked("\x1f".join(texts)):
        yield " ".join(text.split())


def _is_data(text: str, data: str) -> bool:
    """Tell whether a text has no words, or is data."""
    return text.lower() in data or all(
        part in NAMES
        or part.lower() in data
        or NO_WORDS.fullmatch(part)
        or not re.search("[A-Za-z]{2}", part)
        for part in (one.strip(" ,:.“”") for one in re.split(r"[·()→'\[\]]|[,:.] ", text))
    )


def _data() -> str:
    """Return all texts of the database, the questionnaire and the API in one string."""
    # Pages of modules show field names of the API as words.
    contract = openapi.document().decode()
    texts = [*countries.names().values(), contract, contract.replace("_", " ")]
    texts += [product.name for product in definitions.PRODUCTS.values()]
    texts += [path.read_text() for path in restricted_list.FOLDER.glob("*.json")]
    for files in (EDITIONS, PRICE_LISTS):
        texts += [path.read_text() for path in files.folder.glob("*.json")]
    for model in apps.get_models():
        for row in model._base_manager.values():
            texts += [json.dumps(value, ensure_ascii=False, default=str) for value in row.values()]
    return " ".join(" ".join(texts).lower().split())
