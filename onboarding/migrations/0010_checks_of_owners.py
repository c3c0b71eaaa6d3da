"""Check owners: their identity and address, and whether the register lists them."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('onboarding', '0009_plain_registration_numbers'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.AlterField(
            model_name='check',
            name='kind',
            field=models.CharField(choices=[('registry', 'Legal identity confirmed by the register'), ('number', 'Registration number valid'), ('screening', 'No sanctions match'), ('signatory', 'Signatory identified'), ('owners', 'Owners and directors agree with the register'), ('identity', 'Owner identified'), ('address', 'Home address confirmed')], max_length=20),
        ),
    ]
