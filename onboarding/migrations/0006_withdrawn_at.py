"""When a business withdrew an application; one on hold that it withdrew is no longer its open one."""

from django.db import migrations, models

OPEN = ("draft", "submitted", "returned", "held", "cleared")
ONE_OPEN = "one_open_application_per_business"


class Migration(migrations.Migration):
    dependencies = [("onboarding", "0005_judged_by_acts")]

    operations = [
        migrations.AddField(
            model_name="application",
            name="withdrawn_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.RemoveConstraint(model_name="application", name=ONE_OPEN),
        migrations.AddConstraint(
            model_name="application",
            constraint=models.UniqueConstraint(
                fields=["business"],
                condition=models.Q(status__in=OPEN, withdrawn_at=None),
                name=ONE_OPEN,
            ),
        ),
    ]
