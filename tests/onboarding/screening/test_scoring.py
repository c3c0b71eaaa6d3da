"""The scorer process: it starts with the first request, and only one serves all."""

import subprocess
import sys

import pytest

from onboarding.screening import scoring
from onboarding.screening.model import MODELS
from onboarding.screening.names import asked_keys, name_keys

LISTED = {
    1: ["QADHAFI, Muammar Abu Minyar"],
    2: ["AL-ZAWAHIRI, Ayman"],
    3: ["VORKESH TRADING LLC"],
    4: ["BARADAR, Abdul Ghani"],
}


@pytest.mark.parametrize(
    ("name", "kind", "found"),
    [
        ("Moammar Abu Minyar Gaddafi", "person", "1"),
        ("Айман аз-Завахири", "person", "2"),
        ("A. Zawahiri", "person", "2"),
        ("Ayman Zawahiri (طبيب أسنان)", "person", "2"),
        ("عبدالغنی برادر", "person", "4"),
        ("Vorkesh Trading Limited Liability Company", "organisation", "3"),
        ("Savanna Freight Limited", "organisation", None),
        ("Ayman Otieno", "person", None),
    ],
)
def test_other_spellings_are_found_with_the_words_that_decided(name, kind, found):
    entries = {number: (kind, names) for number, names in LISTED.items()}
    answer = scoring.compare(name, entries, MODELS.newest())
    assert list(answer["found"]) == ([found] if found else [])
    for one in answer["found"].values():
        assert one["score"] >= 0.66
        assert all(part["why"] for part in one["parts"])


@pytest.mark.parametrize(
    ("name", "kind", "listed", "is_found"),
    [
        ("Vorkesh Trading International Holdings Ltd", "organisation", "VORKESH JSC", True),
        ("Golden Vorkesh Europe B.V.", "organisation", "GOLDEN VORKESH", True),
        ("Vorkesh Energy", "organisation", "VORKESH ENERGY SUPPLY CO LTD SHANGHAI", True),
        ("Gorvan Lystev Smith Jones", "person", "LYSTEV, Gorvan", True),
        ("Dr. Gorvan Lystev MBA PhD", "person", "LYSTEV, Gorvan Anatolyevich", True),
        ("Gorvan Lystev Trading LLC", "person", "LYSTEV, Gorvan Anatolyevich", True),
        ("G o r v a n L y s t e v", "person", "LYSTEV, Gorvan", True),
        ("G.o.r.v.a.n L.y.s.t.e.v", "person", "LYSTEV, Gorvan", True),
        ("GorvanLystev", "person", "LYSTEV, Gorvan", True),
        ("lystevgorvan", "person", "LYSTEV, Gorvan", True),
        ("ɢᴏʀᴠᴀɴ ʟʏꜱᴛᴇᴠ", "person", "LYSTEV, Gorvan", True),
        ("Ⓖⓞⓡⓥⓐⓝ Ｌｙｓｔｅｖ", "person", "LYSTEV, Gorvan", True),
        ("Gоrvаn Lуstеv", "person", "LYSTEV, Gorvan", True),  # with Cyrillic letters
        ("G0rvan Lyst3v", "person", "LYSTEV, Gorvan", True),
        ("I.S. Petrushkov", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        ("I. S. Petrushkov", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        ("Petrushkov IS", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        ("petrushkov is", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        ("Iwan Petruschkow", "person", "PETRUSHKOV, Ivan", True),
        ("Ivan Petrouchkov", "person", "PETRUSHKOV, Ivan", True),
        ("Ivan Petroesjkov", "person", "PETRUSHKOV, Ivan", True),
        ("Iwan Pietruszkow", "person", "PETRUSHKOV, Ivan", True),
        ("İvan Petruşkov", "person", "PETRUSHKOV, Ivan", True),
        ("Cemal Kaşıkçı", "person", "KASHIKCHI, Jamal", True),
        # Letters and signs that look like others
        ("🅶🅾🆁🆅🅰🅽 🅻🆈🆂🆃🅴🆅", "person", "LYSTEV, Gorvan", True),
        ("🇬🇴🇷🇻🇦🇳 🇱🇾🇸🇹🇪🇻", "person", "LYSTEV, Gorvan", True),
        ("⒢⒪⒭⒱⒜⒩ ⒧⒴⒮⒯⒠⒱", "person", "LYSTEV, Gorvan", True),
        ("ꓖꓳꓣꓦꓮꓠ ꓡꓬꓢꓔꓰꓦ", "person", "LYSTEV, Gorvan", True),
        ("ᏀOᏒᏙᎪN ᏞYᏚᎢᎬᏙ", "person", "LYSTEV, Gorvan", True),
        ("Gørvan̶ L̶y̶s̶t̶e̶v̶", "person", "LYSTEV, Gorvan", True),
        ("G○rv@n Ly$tev", "person", "LYSTEV, Gorvan", True),
        ("lgor Petrushkov", "person", "PETRUSHKOV, Igor", True),
        # Signs between letters
        ("G_o_r_v_a_n L_y_s_t_e_v", "person", "LYSTEV, Gorvan", True),
        ("G,o,r,v,a,n L,y,s,t,e,v", "person", "LYSTEV, Gorvan", True),
        ("(G)(o)(r)(v)(a)(n) (L)(y)(s)(t)(e)(v)", "person", "LYSTEV, Gorvan", True),
        ("G | o | r | v | a | n   L | y | s | t | e | v", "person", "LYSTEV, Gorvan", True),
        ("Go rv an Ly st ev", "person", "LYSTEV, Gorvan", True),
        ("Gorvan_Lystev", "person", "LYSTEV, Gorvan", True),
        ("I.S.Petrushkov", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        ("Petrushkov,I.S.", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        # Two words respelled, and a patronymic left out
        ("Alischer Petruschkow", "person", "PETRUSHKOV, Alisher Burkhanovich", True),
        ("Iouri Petrouchkov", "person", "PETRUSHKOV, Yuriy Yakovlevich", True),
        ("Jurij Petruškov", "person", "PETRUSHKOV, Yuri Yakovlevich", True),
        ("Igor (Gosha) Petrushkov", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        # Endings of Lithuanian and Latvian
        ("Igoris Petruškovas", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        ("Igors Petruškovs", "person", "PETRUSHKOV, Igor Sergeyevich", True),
        ("Igor Petrushkovaitis", "person", "PETRUSHKOV, Igor", True),
        # Companies with a word added, or with a general one in place of another
        ("Vorkeshexport Handels GmbH", "organisation", "VORKESHEKSPORT OAO", True),
        ("Воркешэкспорт Трейдинг", "organisation", "VORKESHEXPORT", True),
        ("Vorkesh Europe", "organisation", "VORKESH OF RUSSIA", True),
        ("VKB", "organisation", "VKB BANK PUBLIC JOINT STOCK COMPANY", True),
        ("Vorkesh-Lystev Consulting", "organisation", "VORKESH-LYSTEV GSKB", True),
        ("Vorkesh Solar Ltd", "organisation", "VORKESH LTDA.", True),
        ("Ibadan Solar Ltd", "organisation", "IBADAN LTDA.", False),
        ("Atlas Trading", "organisation", "ATLAS", False),
        ("London Trading Ltd", "organisation", "LONDON", False),
        ("Orion Shipping Ltd", "person", "ORION", False),
        ("Lumière Boulangerie SAS", "organisation", "SASEU.", False),
        ("Suzhou Import and Export Co. Ltd", "organisation", "SAD IMPORT EXPORT COMPANY", False),
        ("Royal Bank of Norland", "organisation", "COMMERCIAL BANK OF SYRIA", False),
        ("Mei Zhang", "person", "Zhang WEI", False),
        ("Bank of the Eastmark", "organisation", "Bank of the Westmark", False),
        ("Eastern Trust Bank", "organisation", "Western Trust Bank", False),
        ("Juliana Pereira", "person", "JULIANA", False),
        ("Amber Bakery Ltd", "vessel", "AMBER", False),
        ("Lena Hoffmann", "vessel", "LENA", False),
        ("Sung-min Jung", "person", "MING CHUNG", False),
        ("Jose Francisco Lopez Fernandes Smith", "person", "LOPEZ FERNANDES, Jose Francisco", True),
        ("Mirae Chemical Ltd", "organisation", "Korea Mirae Shipping Co. Ltd", False),
    ],
)
def test_a_name_that_somebody_hides_is_found(name, kind, listed, is_found):
    answer = scoring.compare(name, {1: (kind, [listed])}, MODELS.newest())
    assert bool(answer["found"]) == is_found
    assert not is_found or {key for key in asked_keys(name) if key[0] != "^"} & set(
        name_keys(listed)
    )


def test_one_scorer_serves_all_processes():
    first = scoring.socket_path().stat().st_ino
    code = (
        "from onboarding.screening import scoring; from onboarding.screening.model import MODELS;"
        "print(scoring.compare('x', {1: ('person', ['y'])}, MODELS.newest())['found'])"
    )
    said = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=scoring.PROJECT,
        check=True,
    )
    assert said.stdout.strip() == "{}"
    assert scoring.socket_path().stat().st_ino == first


def test_spellings_of_one_name_share_keys():
    for one, other in (
        ("Moammar Qadhafi", "Каддафи"),
        ("Qadhafi", "Gaddafi"),
        ("الظواهري", "al-Zawahiri"),
        ("Ltd Vorkesh", "Vorkish"),
        ("Petrov", "Pterov"),
    ):
        assert {key for key in name_keys(one) if key[0] != "^"} & set(name_keys(other)), one
