"""A reference has one order. `is_first` stays null in orders from before, which may share one."""

from django.db import migrations, models
from django.db.models import Q

two_step = "Releases before this one leave is_first null, which the constraint ignores."


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_provider_accounts"),
        ("sandbox", "0002_quotes_of_nothing"),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AddField("order", "is_first", models.BooleanField(null=True)),
        # A default in Python only: added with it, the column would mark orders from before.
        migrations.AlterField("order", "is_first", models.BooleanField(null=True, default=True)),
        migrations.AddConstraint(
            "order",
            models.UniqueConstraint(
                fields=["business", "environment", "reference"],
                condition=Q(is_first=True),
                name="one_order_of_a_reference",
            ),
        ),
    ]
