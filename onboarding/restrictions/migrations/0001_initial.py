"""Versions of the restricted list."""

import console.core.frozen
import console.core.ids
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='RestrictedListVersion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('rlv',), **{}), max_length=40, unique=True)),
                ('version', models.CharField(max_length=40, unique=True)),
                ('document', models.JSONField()),
                ('change', models.CharField(choices=[('add', 'Added'), ('change', 'Changed'), ('end', 'Ended')], max_length=10)),
                ('code', models.CharField(max_length=6)),
                ('reason', models.TextField()),
            ],
            options={
                'constraints': [console.core.frozen.NeverChanges(name='restricted_list_versions_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"), models.CheckConstraint(condition=models.Q(('change__in', ['add', 'change', 'end']), models.Q(('reason', ''), _negated=True)), name='a_change_of_the_restricted_list_is_whole')],
            },
        ),
    ]
