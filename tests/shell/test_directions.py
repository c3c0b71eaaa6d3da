"""Names from right to left reorder no words of the sentences around them."""

import pytest
from django.template import Context, Template
from django.utils.safestring import mark_safe

from console.audit import messages
from console.shell import csv_export, mail
from tests import factories

NAME = "חברת ABC בע״מ"
ISOLATED = f"\u2068{NAME}\u2069"


def rendered(source, **values):
    return Template("{% load i18n %}" + source).render(Context(values))


@pytest.mark.parametrize(
    "source",
    [
        "{% blocktranslate with name=one.name %}You pay {{ name }}.{% endblocktranslate %}",
        "{% blocktranslate %}You pay {{ name }}.{% endblocktranslate %}",
        "{% blocktrans %}You pay {{ name }}.{% endblocktrans %}",
        "{% blocktranslate asvar said %}You pay {{ name }}.{% endblocktranslate %}{{ said }}",
        "{% with other=name %}{% blocktranslate trimmed %} You pay {{ other }}. "
        "{% endblocktranslate %}{% endwith %}",
        "{% blocktranslate count number=1 %}You pay {{ name }}."
        "{% plural %}You paid {{ name }} {{ number }} times.{% endblocktranslate %}",
    ],
)
def test_it_is_isolated_in_a_sentence(source):
    assert rendered(source, name=NAME, one={"name": NAME}) == f"You pay {ISOLATED}."


def test_other_values_stay_as_they_are():
    source = "{{ name }}, {{ count }}, {{ html }}{{ unknown }}"
    source = f"{{% blocktranslate %}}{source}{{% endblocktranslate %}}"
    said = rendered(source, name="Foo & Søn", count=3, html=mark_safe("<b>3</b>"))
    assert said == "Foo &amp; Søn, 3, <b>3</b>"
    safe = rendered(
        "{% blocktranslate %}{{ html }}{% endblocktranslate %}", html=mark_safe("<b>א</b>")
    )
    assert safe == "\u2068<b>א</b>\u2069"


def test_e_mails_isolate_it_in_subject_and_text(mailoutbox):
    application = factories.an_application(business=factories.a_business(NAME))
    person = factories.a_person("يوسف Smith")
    mail.send(
        "case_assigned", person.email, {"application": application, "person": person, "path": "/"}
    )
    (sent,) = mailoutbox
    assert sent.subject == f"The case of {ISOLATED} is assigned to you"
    assert f"assigned the case of {ISOLATED} to you" in sent.body
    assert messages.sentence("business.registered", actor=NAME, subject="x").startswith(ISOLATED)
    assert csv_export.cell(f"{ISOLATED} registered") == f"{NAME} registered"
    assert "Hello \u2068يوسف Smith\u2069," in sent.body
