"""Type of the screening model: the weights and thresholds of a comparison of names."""

from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from pydantic.dataclasses import dataclass

from console.core.marking import gettext_noop
from console.publishing.files import STRICT, JsonFiles, VersionedFile


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Scores:
    """How much a pair of words counts as the same, in hundredths, by the reason they were paired.

    `name`: known spellings of one name, `far_name` if they share few letters. `symbol`: known
    words of one meaning. `spelled`: one word as two languages spell it. `sound`: the same sounds;
    `near_sound`: all but one, in two scripts. `joined`: words in two scripts that sound alike when
    written as one.
    """

    name: int
    far_name: int
    symbol: int
    sound: int
    near_sound: int
    joined: int
    initial: int
    spelled: int = 85


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Weights:
    """How much one word weighs in the whole name, in hundredths. Others weigh 100.

    `common` is a word of many company names, and `minor` an article or a legal form. A word without
    a counterpart counts against the match: `extra_asked` if it is in the name we ask about,
    `extra_listed` if it is on the list, `extra_patronymic` if that is a patronymic, and
    `extra_minor` for minor words on either side.
    """

    initial: int
    common: int
    place: int
    legal_form: int
    minor: int
    extra_asked: int
    extra_listed: int
    extra_minor: int
    extra_patronymic: int = 44


@dataclass(frozen=True, config=STRICT, kw_only=True)
class Contained:
    """When a name that holds a listed name, or is held by it, is a match whatever else it has.

    Every word that both have scores at least `least`. One of them that no other name may do
    without scores at least `sure`, or sounds the same from `long_word` letters up, and names an
    organisation alone from `single_word` letters up.
    """

    least: int = 80
    sure: int = 90
    single_word: int = 5
    long_word: int = 9
    short_word: int = 6


@dataclass(frozen=True, config=STRICT, kw_only=True)
class ScreeningModel(VersionedFile):
    """One version of the model, in hundredths.

    `person_from` and `organisation_from` are the scores from which a name is a possible match.
    `edits` is the tolerance of typing mistakes, `edit_from` the least similarity of two words,
    `edit_start_from` of those that begin otherwise, and `candidates` how many listed names are
    scored for each name. `common`, `generic` and `titles` are lines of words: those of many names,
    those that companies add to a name, and those beside a person's name.
    """

    person_from: int
    organisation_from: int
    scores: Scores
    weights: Weights
    edits: int
    edit_from: int
    joined_edits: int
    candidates: int
    edit_start_from: int = 80
    contained: Contained = field(default_factory=Contained)
    common: tuple[str, ...] = ()
    generic: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()

    @property
    def document(self) -> dict[str, Any]:
        """The model as the scorer reads it, with what an older version does not say."""
        return {key: value for key, value in asdict(self).items() if key != "canonical"}


MODELS = JsonFiles(
    "screening_model",
    gettext_noop("Screening model"),
    "onboarding.screening-model.v1",
    ScreeningModel,
    Path(__file__).parent / "weights",
)
