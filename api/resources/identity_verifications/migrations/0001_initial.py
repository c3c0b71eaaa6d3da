"""Identity verifications."""

import console.core.ids
import console.core.moves
import django.db.models.deletion
import functools
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
        ('customers', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='IdentityVerification',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('metadata', models.JSONField(default=dict)),
                ('created_at', models.DateTimeField()),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('idv',), **{}), max_length=40, unique=True)),
                ('type', models.CharField(choices=[('passport', 'Passport'), ('national_id', 'National identity card'), ('driving_licence', 'Driving licence'), ('bank_verification_number', 'Bank verification number')], max_length=30)),
                ('country', models.CharField(max_length=2)),
                ('number_ends_with', models.CharField(max_length=4)),
                ('name', models.CharField(blank=True, max_length=140)),
                ('status', models.CharField(choices=[('pending', 'Pending'), ('completed', 'Completed')], default='pending', max_length=20)),
                ('result', models.CharField(blank=True, choices=[('confirmed', 'Confirmed'), ('mismatch', 'Of somebody else'), ('not_found', 'Not found')], max_length=20)),
                ('settles_at', models.DateTimeField(null=True)),
                ('completed_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('customer', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='customers.customer', to_field='public_id')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('status', 'pending')), fields=['settles_at'], name='verifications_that_wait')],
                'constraints': [models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live'])), name='verification_environment_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('completed_at', None), ('result', ''), ('status', 'pending')), models.Q(('completed_at__isnull', False), ('result__in', ['confirmed', 'mismatch', 'not_found']), ('status', 'completed')), _connector='OR'), name='a_completed_verification_has_a_result'), console.core.moves.MovesConstraint(arrows=['>pending', 'pending>completed'], name='verification_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)')],
            },
        ),
    ]
