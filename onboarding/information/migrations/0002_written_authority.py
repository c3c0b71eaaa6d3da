"""A request can ask for an authority to sign."""

from django.db import migrations, models

two_step = "No release so far writes another need."


class Migration(migrations.Migration):

    dependencies = [
        ('evidence', '0004_written_authority'),
        ('information', '0001_initial'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.RemoveConstraint(
            model_name='informationitem',
            name='a_need_is_known',
        ),
        migrations.AlterField(
            model_name='informationitem',
            name='need',
            field=models.CharField(choices=[('explain', 'Explain in words'), ('correct', 'Correct the answer'), ('passport', 'Passport or identity card'), ('address', 'Proof of address'), ('incorporation', 'Incorporation document'), ('licence', 'Licence'), ('ownership', 'Ownership chart'), ('authority', 'Authority to sign'), ('other', 'Other document')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='informationitem',
            constraint=models.CheckConstraint(condition=models.Q(('need__in', ['explain', 'correct', 'passport', 'address', 'incorporation', 'licence', 'ownership', 'authority', 'other'])), name='a_need_is_known'),
        ),
    ]
