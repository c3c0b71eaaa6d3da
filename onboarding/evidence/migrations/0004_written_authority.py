"""A kind of file gives an authority to sign."""

from django.conf import settings
from django.db import migrations, models

two_step = "No release so far writes another kind."


class Migration(migrations.Migration):

    dependencies = [
        ('evidence', '0003_close_associates'),
        ('onboarding', '0008_newest_assessment'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='evidencefile',
            name='a_kind_of_file_is_known',
        ),
        migrations.AlterField(
            model_name='evidencefile',
            name='kind',
            field=models.CharField(choices=[('passport', 'Passport or identity card'), ('address', 'Proof of address'), ('incorporation', 'Incorporation document'), ('licence', 'Licence'), ('ownership', 'Ownership chart'), ('authority', 'Authority to sign'), ('other', 'Other document')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='evidencefile',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['passport', 'address', 'incorporation', 'licence', 'ownership', 'authority', 'other'])), name='a_kind_of_file_is_known'),
        ),
    ]
