"""Sub-accounts."""

import console.core.ids
import console.core.moves
import django.db.models.deletion
import django.db.models.functions.text
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='SubAccount',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('sub',), **{}), max_length=40, unique=True)),
                ('email', models.CharField(max_length=254)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('active', 'Active'), ('rejected', 'Rejected'), ('suspended', 'Suspended'), ('closed', 'Closed')], default='pending', max_length=20)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'pending')), fields=['created_at'], name='sub_accounts_that_wait')],
                'constraints': [models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='sub_account_environment_is_known'), models.CheckConstraint(condition=models.Q(('status__in', ['pending', 'active', 'rejected', 'suspended', 'closed'])), name='sub_account_status_is_known'), models.UniqueConstraint(models.F('business'), models.F('environment'), django.db.models.functions.text.Upper('email'), condition=models.Q(('status__in', ('rejected', 'closed')), _negated=True), name='one_sub_account_an_address'), console.core.moves.MovesConstraint(arrows=['>pending', 'active>closed', 'active>suspended', 'pending>active', 'pending>closed', 'pending>rejected', 'suspended>active', 'suspended>closed'], name='sub_account_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)')],
            },
        ),
    ]
