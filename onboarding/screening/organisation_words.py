"""Words that name an organisation, in many languages, without accents.

Whoever has such a word in a name may still be human, as Charlotte Church is: a reviewer decides.
"""

import unicodedata


def without_marks(text: str) -> str:
    """Return the text without accents and vowel marks."""
    letters = unicodedata.normalize("NFKD", text.replace("ı", "i"))
    return "".join(one for one in letters if not unicodedata.combining(one))


def _words(*lines: str) -> frozenset[str]:
    return frozenset(without_marks(" ".join(lines)).split())


# Words anywhere in a name.
WORDS = _words(
    # English
    "trust trusts trustee trustees foundation foundations settlement settlements endowment company",
    "corporation corp incorporated limited partnership partners holding holdings nominee nominees",
    "estate executors fund charitable association society cooperative enterprises pension pensions",
    "scheme superannuation church mosque synagogue diocese parish congregation ministries ministry",
    "bank banking group capital ventures investment investments consulting logistics services",
    "solutions international industries management properties syndicate consortium institute",
    "agency council government university school college academy club union federation committee",
    "municipality custodian custodians fiduciary alliance network hospital enterprise",
    "trading brothers office discretionary heirs",
    # German, Dutch, Swedish, Norwegian, Danish, Finnish
    "treuhand treuhander anstalt treuunternehmen stichting vereniging cooperatie kirche gemeinde",
    "sinagoga synagoge",
    "erbengemeinschaft grundbesitz nachlass vermogen beheer maatschap participaties nalatenschap",
    "vastgoed fastigheter ejendomme kiinteisto dodsbo dodsboet kuolinpesa forvaltning eiendom",
    "pensionskasse universitat gebruder kirke kyrka kerk gemeente forening foreningen kommune",
    "stiftelse stiftelsen saatio fonden yhdistys osuuskunta pankki koncern konzern",
    # French, Spanish, Portuguese, Italian, Romanian
    "indivision succession patrimoine soparfi herencia sucesion inversiones patrimonio heranca",
    "espolio patrimonial eredi eredita immobiliare immobiliere inmobiliaria imobiliaria",
    "fondation fiducie fideicommis societe fundacion fideicomiso sociedad fundacao sociedade",
    "fondazione fiduciaria societa fundatia groupe grupo gruppo banque banco banca eglise iglesia",
    "igreja chiesa caisse fondo fundo fonds mairie municipio comune prefeitura universite",
    "universidad universidade universita asociacion associacao associazione asociatia cooperativa",
    "hermanos irmaos fratelli entreprise empresa impresa mutuelle syndicat sindicato",
    # Polish, Czech, Slovak, Hungarian, Croatian, Turkish, Indonesian
    "fundacja spolka nadace nadacia alapitvany zaklada fundacija vakfi vakif yayasan fundusz",
    "spadkobiercy nieruchomosci nemovitosti nehnutelnosti vagyonkezelo nekretnine gayrimenkul",
    "stowarzyszenie spoldzielnia sdruzeni spolek druzstvo zdruzenie egyesulet szovetkezet udruga",
    "udruzenje zadruga dernegi dernek kooperatifi bankasi grubu sirketi koperasi perkumpulan",
    "druzba spółdzielnia uniwersytet univerzita egyetem universitesi gmina nadacni",
    # Estonian, Latvian, Lithuanian, and Arabic, Persian and Hebrew in Latin letters
    "osauhing aktsiaselts sabiedriba",
    "sihtasutus nodibinajums biedriba asociacija fondas bankas bendrija",
    "waqf wakf wakaf auqaf awqaf bonyad hekdesh masjid jamiyat",
    # Cyrillic, Greek, Armenian, Georgian
    "фонд фондация траст общество задужбина банк группа церковь церква университет союз",
    "ассоциация асоціація асоциация кооператив предприятие підприємство компания компанія",
    "корпорация корпорація холдинг товариство организация організація дружество удружење",
    "ίδρυμα τράπεζα όμιλος εταιρεία σύλλογος εκκλησία σωματείο",
    "ընկերություն հիմնադրամ ֆոնդ ფონდი შპს კომპანია",
    # Arabic, Persian, Urdu, also with the article, and Hebrew
    "وقف أوقاف مؤسسة شركة صندوق بنك مجموعة جمعية هيئة وزارة كنيسة مسجد اتحاد منظمة",
    "بنیاد موسسه بانک گروه شرکت انجمن ٹرسٹ",
    "הקדש נאמנות בעמ עמותת עמותה אגודת אגודה בנק חברת חברה קבוצת",
    # India
    "न्यास संस्था बैंक समिति कंपनी समूह",
)
# Parts of words, in scripts without spaces, or with vowels that are marks.
PARTS = _words(
    "公司 会社 會社 信托 信託 基金 财团 財団 財團 法人 재단 법인 회사 신탁 조합 은행 교회 협회",
    "그룹 銀行 银行 協会 协会 協會 集团 集團 合伙 組合 教会 教會 学校 學校 大学 大學 有限 互助会",
    "บริษัท มูลนิธิ กองทุน ธนาคาร มหาวิทยาลัย สมาคม สหกรณ์",
    "ट्रस्ट फाउंडेशन लिमिटेड ট্রাস্ট ফাউন্ডেশন লিমিটেড அறக்கட்டளை ట్రస్ట్ ಟ್ರಸ್ಟ್ ટ્રસ્ટ ട്രസ്റ്റ് ਟਰੱਸਟ",
)
# Words of Germanic languages are written together.
ENDINGS = (
    *("trust", "stiftung", "gesellschaft", "verein", "genossenschaft", "kasse", "stiftelse"),
    *("verwaltung", "verwaltungs", "beteiligung", "beteiligungs", "beteiligungen", "holding"),
    *("gemeinschaft", "immobilien", "invest", "vermogen", "vermoegen", "stichting"),
)
# Phrases of plain text, and the beginnings and ends of names.
PHRASES = (
    r"(?:&|\b(?:and|und|et|y|e|og|och|i))\s+"
    r"(?:co|sons?|sohne|fils|hijos|filhos|figli|partner|brothers|associates)\b",
    r"\bco\.$|\b[aki]/s\b|\ba\.s\.$|\bs\W{0,2}a\W{0,2}r\W{0,2}l\b",
    r"^(?:the )?(?:city|state|republic|kingdom|county|province|town|temple|order|house) of\b",
    r"\b(?:kabushiki|yugen|godo|goshi|gomei) [kg]aisha\b",
    r"\b(?:bait|beit|bayt) (?:al|ul|ut|at|as|ar)\b|\bl\W{0,2}(?:l\W{0,2})?p\.?$|\btru ?st\b",
    r"^the .*\bcharity$|\b(?:retirement|ownership|share|savings) plan$|^(?:keren|קרן|stadt) ",
)
# Vietnamese, where marks tell words of names from others.
MARKED_PHRASES = r"\b(?:công ty|ngân hàng|tập đoàn|tổ chức|hợp tác xã)\b|^(?:quỹ|hội)\s|\bvšį\b"
# Short forms that are hardly ever a human's name. Others are, as Sa or As.
SURE = _words(
    "ag bv nv kg oy oyj ltd llc inc plc llp srl pty bhd sdn pvt pte kft zrt nyrt uab ooo oao jsc",
    "fze dooel ood eood aps gbr mbh sasu srls spa lda wll ksc tnhh sci gaec scea selarl snc scp",
    "gie opcvm sicav spv cio esop",
    "ао ооо зао оао пао тоо тов αε επε ικε фоп прат пат нко",
)
# Others that count at the end, in capitals or with full stops. Doo and Zao are also given names.
MARKED = _words("sl sac doo zao")
# Others that count at the beginning, in capitals.
BEFORE = r"(PT|CV|SIA|EARL|AB|OÜ|OY|Oy|KK)\.? .*[^\W\d_A-Z]|(ПП|ДП|КП|ИП|ГК|АО|КХ|КФХ) .*[а-яіїєґ]"
# German forms in this case alone.
CASED = r"\be\.? ?[GV]\.?$"
# Also given names.
GIVEN_NAMES = _words("charity")
# Before a family name, as in de Sá.
PARTICLES = _words("de da do di du e y van von")
