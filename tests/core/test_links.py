"""What e-mail clients turn into links, and legitimate names with a dot."""

import pytest

from console.core.links import holds_web_address, refuse_web_address
from console.core.refusals import Refused

LINKS = [
    "t.me/scam", "t.co/abc", "x.com/evil", "x.com", "evil@t.co", "co.ltd.pizza",
    "me@evil.photography",
    "evil.zip", "Evil.Zip", "EVIL.MOV", "evil.company", "Evil.Company", "evil.one", "evil.ltd",
    "Evil.Ltd", "evil.co.ltd", "co.ltd/pay", "evil.media", "evil.group", "evil.global",
    "evil.security", "evil.edu", "evil.gov", "evil.photography", "EVIL.PHOTOGRAPHY", "банк.рф",
    "БАНК.РФ", "例え.中国", "例え。中国", "उदाहरण.भारत", "1.2.3.4/login", "1.2.3.4:80",
    "localhost:8000/x", "Pay at intranet:8080/pay now", "my-bank.evil-1.rocks", "st.evil.rocks",
    "Evil.Photography", "evil.xn--p1ai", "T.Me/x", "CO.COM", "gmbh.co.kg",
    "evil.com-", "evil.com_", "evil.com-pay", "evil.com_pay", "evil.com日本", "evil.comцена",
    "evil.zip-now", "evil.xn--p1ai-pay", "банк.рф-", "банк.рфabc", "💰.ws/x", "i❤.ws", "i❤️.ws",
    "💩💩.la", "👍🏽.ws", "t.me?start=1", "x.ai?q", "x.ai#pay", "co.ltd?pay", "1.2.3.4?x",
    "pay.Dr.Green", "a.Mr.Money", "pay.st.John",
    "https://evil", "hxxp://evil", "www.prize", "Booking.com", "evil．com", "evil。com", "X1.TOP",
    "t.me", "T.ME", "t.co", "evil[.]com", "evil(.)com", "evil{.}zip", "evil [dot] com",
    "evil (DOT) photography", "t[.]me",
    "evil . com", "Evil  .  COM", "evil . co . net", "evil . org/pay",
]  # fmt: skip

HONEST = [
    "Smith & Co. Ltd", "Smith & Co.Ltd", "SHENZHEN KETTLE CO.LTD", "Kettle Pte.Ltd",
    "A.B.C. Trading", "A.B.C.Trading", "St. John's", "St.John's", "ST.JOHN'S", "st.john ambulance",
    "J.P. Morgan", "J.P.Morgan", "J.Smith/K.Jones", "Dr.Oetker", "DR.OETKER", "No.1 Payments",
    "Nr.1", "1.FC Kettle", "S.p.A.", "Ferro S.p.A", "S.A.R.L.", "Kettle S.à r.l.", "Kettle Inc.",
    "B.V.", "N.V./S.A.", "Yahoo!", "Kiosk d.o.o.", "Kettle sp. z o.o.", "Čaj a.s.", "U.S. Bank",
    "Bros. & Sons", "Kettle (U.K.) Ltd.", "Кофе им. Ленина", "ش.م.م", "株式会社やかん", "娘。",
    "24/7 Pay", "Backend v1.2", "Coffee@Work", "P.S. I Love You", "E.ON", "Ste.Foy", "c/o Kettle",
    "John Q. Public, Jr.", "Ratio 16:10/4", "Amt 1.234.567/2",
    "backend.staging", "orders.worker", "Dr.Green", "GmbH & Co.KG", "node.js", "Mr.Money",
    "x.ai", "Dr.-Ing. Green", "St.John-Smith", "E.ON?", "No.1-Pay", "No.1?", "Kettle® Ltd.",
    "I ❤ N.Y.", "A.B.-Trading", "Prof.Dr.Green", "Prof.Dr.Ing.Green",
    "A . B . Smith", "St. Mary Ltd", "Yahoo! Inc. UK", "Yahoo! Inc . UK", "Smith . Co",
    "Kettle .NET", "Atelier . Paris", "Kettle . Commerce", "Dot Com Therapy", "Green Dot Com Ltd",
]  # fmt: skip


def test_what_a_mail_program_links_is_a_web_address():
    assert [text for text in LINKS if not holds_web_address(text)] == []
    assert [text for text in LINKS if not holds_web_address(f"You won, see {text}!")] == []


def test_an_honest_name_is_none():
    assert [text for text in HONEST if holds_web_address(text)] == []
    assert [text for text in HONEST if holds_web_address(f"The {text} in Accra")] == []


def test_a_name_that_holds_one_is_refused_by_name():
    refuse_web_address("Mara Ellwood")
    with pytest.raises(Refused, match=r"The name Claim at evil\.com holds a web address"):
        refuse_web_address("Claim at evil.com")
