"""Words in a person's name that name an organisation: a legal form, a trust, a foundation.

Whoever is named as a human may have such a name, so it is a finding for a reviewer. Short forms are
also names (Sa, As, Co), so most count only at the end, and in capitals or with full stops.
"""

import re
import unicodedata
from dataclasses import replace

from onboarding.checks.providers import AnswersLater, CheckResult, Inquiry
from onboarding.lifecycle import CheckStatus
from onboarding.models.check import CheckKind
from onboarding.screening.letters import folded

_DECIDED_BY_NAME = (CheckStatus.PASSED, CheckStatus.NEEDS_REVIEW)


def _without_marks(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.replace("ı", "i"))
    return "".join(one for one in letters if not unicodedata.combining(one))


def _words(*lines: str) -> frozenset[str]:
    return frozenset(_without_marks(" ".join(lines)).split())


_WORDS = _words(
    # English
    "trust trusts trustee trustees foundation foundations settlement settlements endowment company",
    "corporation corp incorporated limited partnership partners holding holdings nominee nominees",
    "estate executors fund charitable association society cooperative enterprises",
    # German, Dutch, Swedish, Norwegian, Finnish
    "treuhand treuhander anstalt treuunternehmen stichting vereniging cooperatie",
    "stiftelse stiftelsen saatio fonden",
    # French, Spanish, Portuguese, Italian, Romanian
    "fondation fiducie fideicommis societe fundacion fideicomiso sociedad fundacao sociedade",
    "fondazione fiduciaria societa fundatia",
    # Polish, Czech, Slovak, Hungarian, Croatian, Turkish, Indonesian
    "fundacja spolka nadace nadacia alapitvany zaklada fundacija vakfi vakif yayasan",
    # Estonian, Latvian, Arabic, Persian and Hebrew in Latin letters, and other scripts
    "sihtasutus nodibinajums waqf wakf wakaf auqaf awqaf bonyad hekdesh",
    "фонд фондация траст общество задужбина ίδρυμα הקדש נאמנות בעמ",
    "وقف أوقاف مؤسسة شركة صندوق الوقف الأوقاف المؤسسة الشركة الصندوق بنیاد",
)
# Scripts without spaces, and with vowels that are marks.
_PARTS = _words(
    "公司 会社 會社 信托 信託 基金会 基金會 财团 財団 財團 法人 재단 법인 회사 신탁",
    "บริษัท มูลนิธิ ट्रस्ट फाउंडेशन लिमिटेड",
)
# Words of Germanic languages are written together.
_ENDINGS = ("trust", "stiftung", "gesellschaft", "verein")
_WITH_SIGNS = re.compile(
    r"(?:&|\b(?:and|und|et|y|e))\s+co\b|\b[aki]/s\b|\ba\.s\.$|\bs\W{0,2}a\W{0,2}r\W{0,2}l\b"
)
# Short forms that are hardly ever a human's name. Others are, as Sa or As.
_SURE = _words(
    "ag bv nv kg oy oyj ltd llc inc plc llp srl pty bhd sdn pvt pte kft zrt nyrt uab ooo oao jsc",
    "fze dooel ood eood aps gbr mbh sasu srls spa lda wll ksc tnhh",
    "ао ооо зао оао пао тоо тов αε επε ικε",
)
# Others that count at the end, in capitals or with full stops. Doo and Zao are also given names.
_MARKED = _words("sl sac doo zao")
# Others that count at the beginning, in capitals.
_BEFORE = re.compile(r"(PT|CV|SIA|SCI)\.? .*[^\W\d_A-Z]")
_SHORT = 3
# Also given names.
_GIVEN_NAMES = _words("charity")
# Before a family name, as in de Sá.
_PARTICLES = _words("de da do di du e y van von")


def with_finding(
    inquiry: Inquiry, answer: CheckResult | AnswersLater
) -> CheckResult | AnswersLater:
    """Return the answer about a human, which a reviewer decides if an organisation is named."""
    is_human = inquiry.kind == CheckKind.SCREENING and not inquiry.number
    if not is_human or isinstance(answer, AnswersLater) or answer.status not in _DECIDED_BY_NAME:
        return answer
    if not (word := organisation_word(inquiry.name)):
        return answer
    says = f"The name has the word “{word}”, so this may be an organisation and no human."
    # Without the versions of the lists, so that a decision stays valid with newer ones.
    kept = {key: value for key, value in answer.evidence.items() if key != "lists"}
    return replace(
        answer,
        status=CheckStatus.NEEDS_REVIEW,
        says=f"{says} {answer.says}",
        evidence=kept | {"word": word},
    )


def organisation_word(name: str) -> str:
    """Return the word of a person's name that names an organisation, or ""."""
    # Large, and most processes look at no names.
    from rigour.names import extract_org_types

    written = folded(name)
    text = written.casefold()
    plain = _without_marks(text)
    words = text.split()
    for place, written_word in enumerate(words, 1):
        word = re.sub(r"[\W_]", "", written_word)
        # İnç is a family name, and Inc is none.
        is_sure = word in _SURE and (len(word) >= _SHORT or place == len(words))
        parts = {_without_marks(word), *re.findall(r"\w+", _without_marks(written_word))}
        if is_sure or parts & _WORDS or any(part.endswith(_ENDINGS) for part in parts):
            return word
    if found := _WITH_SIGNS.search(plain):
        return found[0]
    if found := _BEFORE.match(written):
        return found[1].lower()
    if part := next((part for part in _PARTS if part in plain), ""):
        return part
    forms = [form for form, _kind in extract_org_types(text) if form not in _GIVEN_NAMES]
    forms += [word for word in words[-1:] if re.sub(r"\W", "", word) in _MARKED]
    return next((form for form in forms if _is_telling(form, written)), "")


def _is_telling(form: str, name: str) -> bool:
    """Tell whether a form is long, or ends the name in capitals or with full stops."""
    if len(re.sub(r"\W", "", form)) > _SHORT:
        return True
    before, _, last = name.rpartition(" ")
    is_marked = "." in last or (last.isupper() and not before.isupper())
    is_last = last.casefold() in (form, f"{form}.")
    return is_last and is_marked and before.rpartition(" ")[2].casefold() not in _PARTICLES
