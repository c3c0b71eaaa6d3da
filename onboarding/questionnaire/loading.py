"""The questionnaire's editions: where their files are, and their validation."""

from pathlib import Path

from console.publishing.files import JsonFiles
from onboarding.questionnaire.edition_schema import Edition
from onboarding.questionnaire.faults import faults_of

EDITIONS = JsonFiles(
    "questionnaire",
    "Questionnaire",
    "onboarding.edition.v1",
    Edition,
    Path(__file__).parent / "editions",
    faults=faults_of,
)
