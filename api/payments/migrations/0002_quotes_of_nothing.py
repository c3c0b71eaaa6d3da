"""A quotation may come to less than the smallest unit, rounded down."""

from django.db import migrations, models

two_step = "No release converts or transfers a quote that comes to nothing."


class Migration(migrations.Migration):
    dependencies = [("sandbox", "0001_initial")]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(model_name="quote", name="a_quote_is_of_something"),
        migrations.AddConstraint(
            model_name="quote",
            constraint=models.CheckConstraint(
                condition=models.Q(("from_amount__gt", 0), ("to_amount__gte", 0)),
                name="a_quote_is_of_something",
            ),
        ),
    ]
