"""Words in a person's name that name an organisation: a legal form, a trust, a foundation.

Short forms are also names (Sa, As, Co), so most count only at the end, and in capitals or with full
stops.
"""

import re

from onboarding.screening import organisation_words as words
from onboarding.screening.letters import folded
from onboarding.screening.organisation_words import without_marks

_WITH_SIGNS = re.compile("|".join(words.PHRASES))
_MARKED_PHRASE = re.compile(words.MARKED_PHRASES)
_BEFORE = re.compile(words.BEFORE)
_CASED = re.compile(words.CASED)
_ARTICLE = "ال"
_SHORT = 3


def organisation_word(name: str) -> str:
    """Return the word of a person's name that names an organisation, or ""."""
    # Large, and most processes look at no names.
    from rigour.names import extract_org_types

    written = folded(name)
    text = written.casefold()
    plain, asked = without_marks(text), text.split()
    for place, written_word in enumerate(asked, 1):
        word = re.sub(r"[\W_]", "", written_word)
        # İnç is a family name, and Inc is none.
        is_sure = word in words.SURE and (len(word) >= _SHORT or place == len(asked))
        if is_sure or _names_organisation(written_word, word):
            return word or written_word
    for pattern, where in ((_WITH_SIGNS, plain), (_MARKED_PHRASE, text), (_CASED, written)):
        if found := pattern.search(where):
            return found[0].strip()
    if found := _BEFORE.match(written):
        return (found[1] or found[2]).lower()
    if part := next((part for part in words.PARTS if part in plain), ""):
        return part
    forms = [form for form, _kind in extract_org_types(text) if form not in words.GIVEN_NAMES]
    forms += [word for word in asked[-1:] if re.sub(r"\W", "", word) in words.MARKED]
    return next((form for form in forms if _is_telling(form, written)), "")


def _names_organisation(written: str, word: str) -> bool:
    """Tell whether a word, or a part of it between signs, names an organisation."""
    plain = without_marks(written)
    # Vowels of Indian scripts are marks, and no letters.
    parts = {without_marks(word), plain.strip(".,;:()\"'"), *re.findall(r"\w+", plain)}
    parts |= {part.removeprefix(_ARTICLE) for part in parts}
    return bool(parts & words.WORDS) or any(part.endswith(words.ENDINGS) for part in parts)


def _is_telling(form: str, name: str) -> bool:
    """Tell whether a form is long, or ends the name in capitals or with full stops."""
    if len(re.sub(r"\W", "", form)) > _SHORT:
        return True
    before, _, last = name.rpartition(" ")
    is_marked = "." in last or (last.isupper() and not before.isupper())
    is_last = last.casefold() in (form, f"{form}.")
    return is_last and is_marked and before.rpartition(" ")[2].casefold() not in words.PARTICLES
