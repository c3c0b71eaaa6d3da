"""Add the issuer's reference to payments by card, each booked once."""

import console.core.frozen
from django.db import migrations, models

two_step = "The rule is added again at once; no release so far fills the new column."


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0014_saved_views"),
        ("sandbox", "0012_payment_screenings"),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name="cardtransaction",
            name="purchase_keeps_what_it_says",
        ),
        migrations.AddField(
            model_name="cardtransaction",
            name="provider_reference",
            field=models.CharField(blank=True, db_default="", default="", max_length=140),
        ),
        migrations.AddConstraint(
            model_name="cardtransaction",
            constraint=console.core.frozen.SetOnce(
                anew="",
                deletable=False,
                fields=[
                    "id",
                    "public_id",
                    "business",
                    "environment",
                    "created_at",
                    "amount",
                    "currency",
                    "reference",
                    "card",
                    "merchant_name",
                    "provider_reference",
                ],
                name="purchase_keeps_what_it_says",
                sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')",
            ),
        ),
        migrations.AddConstraint(
            model_name="cardtransaction",
            constraint=models.UniqueConstraint(
                condition=models.Q(("provider_reference", ""), _negated=True),
                fields=("business", "environment", "provider_reference"),
                name="a_card_payment_counts_once",
            ),
        ),
    ]
