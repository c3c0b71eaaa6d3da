"""Type of the screening model: the weights and thresholds of a comparison of names."""

from pathlib import Path

from pydantic.dataclasses import dataclass

from console.core.marking import gettext_noop
from console.publishing.files import STRICT, JsonFiles, VersionedFile


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Scores:
    """How much a pair of words counts as the same, in hundredths, by the reason they were paired.

    `name`: known spellings of one name, `far_name` if they share few letters. `symbol`: known
    words of one meaning. `sound`: the same sounds; `near_sound`: all but one, in two scripts.
    `joined`: words in two scripts that sound alike when written as one.
    """

    name: int
    far_name: int
    symbol: int
    sound: int
    near_sound: int
    joined: int
    initial: int


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Weights:
    """How much one word weighs in the whole name, in hundredths. Others weigh 100.

    `common` is a word of many company names, and `minor` an article or a legal form. A word without
    a counterpart counts against the match: `extra_asked` if it is in the name we ask about,
    `extra_listed` if it is on the list, and `extra_minor` for minor words on either side.
    """

    initial: int
    common: int
    place: int
    legal_form: int
    minor: int
    extra_asked: int
    extra_listed: int
    extra_minor: int


@dataclass(frozen=True, config=STRICT, kw_only=True)
class ScreeningModel(VersionedFile):
    """One version of the model, in hundredths.

    `person_from` and `organisation_from` are the scores from which a name is a possible match.
    `edits` is the tolerance of typing mistakes, `edit_from` the least similarity of two words, and
    `candidates` how many listed names are scored for each name.
    """

    person_from: int
    organisation_from: int
    scores: Scores
    weights: Weights
    edits: int
    edit_from: int
    joined_edits: int
    candidates: int


MODELS = JsonFiles(
    "screening_model",
    gettext_noop("Screening model"),
    "onboarding.screening-model.v1",
    ScreeningModel,
    Path(__file__).parent / "weights",
)
