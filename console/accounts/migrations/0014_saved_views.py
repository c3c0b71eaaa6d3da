"""Views of lists that our staff save, rename and delete."""

import functools

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import console.core.clock
import console.core.ids

GRANT = """
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'site') THEN
    GRANT DELETE ON public.accounts_savedview TO site;
  END IF;
END $$
"""


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0013_index_of_folded_names'),
        ('core', '0002_fewer_privileges'),
    ]

    operations = [
        migrations.RunSQL("SET LOCAL lock_timeout = '5s'", migrations.RunSQL.noop),
        migrations.CreateModel(
            name='SavedView',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('view',), **{}), max_length=40, unique=True)),
                ('module', models.CharField(max_length=30)),
                ('name', models.CharField(max_length=60)),
                ('query', models.CharField(max_length=500)),
                ('created_at', models.DateTimeField(default=console.core.clock.now)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='saved_views', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('person', 'module', 'name'), name='one_view_of_a_list_by_a_name')],
            },
        ),
        migrations.RunSQL(GRANT, migrations.RunSQL.noop),
    ]
