"""Users, businesses, memberships and participants."""

import console.core.clock
import console.audit.recorded
import console.core.database_rule
import console.core.frozen
import console.core.ids
import console.core.immediate_key
import console.core.moves_constraint
import django.contrib.postgres.fields
import django.db.models.deletion
import django.db.models.functions.text
import functools
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('audit', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='Throttle',
            fields=[
                ('name', models.CharField(max_length=120, primary_key=True, serialize=False)),
                ('arrives', models.FloatField()),
                ('granted', models.IntegerField(default=0)),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='User',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('password', models.CharField(max_length=128, verbose_name='password')),
                ('last_login', models.DateTimeField(blank=True, null=True, verbose_name='last login')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('usr',), **{}), max_length=40, unique=True)),
                ('email', models.EmailField(max_length=254, unique=True)),
                ('name', models.CharField(max_length=200)),
                ('is_active', models.BooleanField(default=True)),
                ('email_confirmed_at', models.DateTimeField(null=True)),
                ('joined_at', models.DateTimeField(auto_now_add=True)),
                ('time_zone', models.CharField(default='UTC', max_length=64)),
                ('unwanted_mail', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('email', django.db.models.functions.text.Lower('email'))), name='user_email_is_in_lower_case'), console.core.frozen.SetOnce(anew='', deletable=True, fields=['id', 'public_id'], name='a_person_is_one_person', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='Business',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('biz',), **{}), max_length=40, unique=True)),
                ('name', models.CharField(max_length=300)),
                ('status', models.CharField(choices=[('active', 'Active'), ('suspended', 'Suspended'), ('closed', 'Closed')], default='active', max_length=20)),
                ('status_changed_at', models.DateTimeField(null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
            options={
                'constraints': [console.core.moves_constraint.MovesConstraint(arrows=['>active', 'active>closed', 'active>suspended', 'suspended>active', 'suspended>closed'], name='business_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), models.CheckConstraint(condition=models.Q(('status__in', ['active', 'suspended', 'closed'])), name='business_status_is_known'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id'], name='a_business_is_one_business', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='RecoveryCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('hashed', models.CharField(max_length=200)),
                ('used_at', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recovery_codes', to=settings.AUTH_USER_MODEL)),
            ],
        ),
        migrations.CreateModel(
            name='Session',
            fields=[
                ('session_data', models.TextField(verbose_name='session data')),
                ('expire_date', models.DateTimeField(db_index=True, verbose_name='expire date')),
                ('session_key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('ses',), **{}), max_length=40, unique=True)),
                ('ip', models.GenericIPAddressField(null=True)),
                ('agent', models.CharField(blank=True, max_length=300)),
                ('began_at', models.DateTimeField(auto_now_add=True)),
                ('seen_at', models.DateTimeField(auto_now=True)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'verbose_name': 'session',
                'verbose_name_plural': 'sessions',
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='Authenticator',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(help_text='The human-readable name of this device.', max_length=64)),
                ('confirmed', models.BooleanField(default=True, help_text='Is this device ready for use?')),
                ('throttling_failure_timestamp', models.DateTimeField(blank=True, default=None, help_text='A timestamp of the last failed verification attempt. Null if last attempt succeeded.', null=True)),
                ('throttling_failure_count', models.PositiveIntegerField(default=0, help_text='Number of successive failed attempts.')),
                ('created_at', models.DateTimeField(auto_now_add=True, help_text='The date and time when this device was initially created in the system.', null=True)),
                ('last_used_at', models.DateTimeField(blank=True, help_text='The most recent date and time this device was used.', null=True)),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('otp',), **{}), max_length=40, unique=True)),
                ('sealed_seed', models.BinaryField()),
                ('last_step', models.BigIntegerField(default=-1)),
                ('held_until', models.DateTimeField(null=True)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='authenticators', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('confirmed', True)), fields=('user',), name='one_authenticator_per_person')],
            },
        ),
        migrations.CreateModel(
            name='Invitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('inv',), **{}), max_length=40, unique=True)),
                ('email', models.EmailField(max_length=254)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('administrator', 'Administrator'), ('developer', 'Developer'), ('signatory', 'Signatory'), ('viewer', 'Viewer'), ('compliance', 'Compliance'), ('head_of_compliance', 'Head of compliance'), ('commercial', 'Commercial'), ('legal', 'Legal'), ('head_of_legal', 'Head of legal'), ('countersignatory', 'Countersignatory'), ('account_manager', 'Account manager'), ('auditor', 'Auditor'), ('operator', 'Operator')], max_length=30)),
                ('name', models.CharField(blank=True, max_length=200)),
                ('invited_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField()),
                ('accepted_at', models.DateTimeField(null=True)),
                ('withdrawn_at', models.DateTimeField(null=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('invited_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('role__in', ('owner', 'administrator', 'developer', 'signatory', 'viewer'))), name='an_invitation_is_to_a_business'), models.CheckConstraint(condition=models.Q(('accepted_at', None), ('withdrawn_at', None), _connector='OR'), name='an_invitation_ends_one_way'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id'], name='an_invitation_is_one_invitation', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')"), models.UniqueConstraint(fields=('id', 'business'), name='an_invitation_and_its_business')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('mem',), **{}), max_length=40, unique=True)),
                ('role', models.CharField(choices=[('owner', 'Owner'), ('administrator', 'Administrator'), ('developer', 'Developer'), ('signatory', 'Signatory'), ('viewer', 'Viewer'), ('compliance', 'Compliance'), ('head_of_compliance', 'Head of compliance'), ('commercial', 'Commercial'), ('legal', 'Legal'), ('head_of_legal', 'Head of legal'), ('countersignatory', 'Countersignatory'), ('account_manager', 'Account manager'), ('auditor', 'Auditor'), ('operator', 'Operator')], max_length=30)),
                ('since', models.DateTimeField(auto_now_add=True)),
                ('business', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('user', 'business', 'role'), name='a_role_is_held_once', nulls_distinct=False), models.CheckConstraint(condition=models.Q(models.Q(('business', None), ('role__in', ('compliance', 'head_of_compliance', 'commercial', 'legal', 'head_of_legal', 'countersignatory', 'account_manager', 'auditor', 'operator'))), models.Q(('business__isnull', False), ('role__in', ('owner', 'administrator', 'developer', 'signatory', 'viewer'))), _connector='OR'), name='staff_roles_are_for_staff')],
            },
        ),
        migrations.CreateModel(
            name='Participant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('since', models.DateTimeField()),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='accounts.business')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('business', 'person'), name='a_participant_is_noted_once'), console.core.frozen.NeverChanges(name='participants_never_change', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OR DELETE ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_change('%(label)s')"), console.core.immediate_key.ImmediateForeignKey(fields=['person'], name='who_took_part_stays', sql='ALTER TABLE %(table)s ADD CONSTRAINT %(name)s FOREIGN KEY (%(columns)s) REFERENCES %(to_table)s (%(to_columns)s)', to='accounts.User', to_fields=['id'])],
            },
        ),
        migrations.CreateModel(
            name='StoppedMail',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('email', models.EmailField(max_length=254)),
                ('stopped_at', models.DateTimeField()),
                ('business', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, to='accounts.business')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('email', 'business'), name='mail_is_stopped_once', nulls_distinct=False)],
            },
        ),
        migrations.CreateModel(
            name='EmailChange',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('emc',), **{}), max_length=40, unique=True)),
                ('old_email', models.EmailField(max_length=254)),
                ('new_email', models.EmailField(max_length=254)),
                ('asked_at', models.DateTimeField()),
                ('confirmed_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='email_changes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('confirmed_at', None), ('ended_at', None)), fields=('person',), name='one_new_address_waits_at_a_time'), console.core.frozen.SetOnce(anew='', deletable=True, fields=['id', 'public_id', 'person', 'old_email', 'new_email', 'asked_at', 'confirmed_at', 'ended_at'], name='an_address_changes_once', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_member_is_participant', sql='CREATE FUNCTION public.accounts_member_is_participant() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NEW.business_id IS NOT NULL THEN\n    PERFORM public.accounts_note_participant(NEW.business_id, NEW.user_id);\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_member_is_a_participant\nAFTER INSERT OR UPDATE OF user_id, business_id ON public.accounts_membership\nFOR EACH ROW EXECUTE FUNCTION public.accounts_member_is_participant();\n'),
        ),
        migrations.AddConstraint(
            model_name='participant',
            constraint=console.core.database_rule.DatabaseRule(name='accounts_note_participant', sql='-- Rules of onboarding and agreements call this too.\nCREATE FUNCTION public.accounts_note_participant(business bigint, who bigint)\nRETURNS void\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NOT EXISTS (SELECT FROM public.accounts_participant\n                 WHERE business_id = business AND person_id = who) THEN\n    INSERT INTO public.accounts_participant (business_id, person_id, since)\n    VALUES (business, who, now()) ON CONFLICT (business_id, person_id) DO NOTHING;\n  END IF;\nEND $$;\n'),
        ),
        migrations.AddConstraint(
            model_name='membership',
            constraint=console.audit.recorded.Recorded(about='user_id', added=True, condition='NEW.business_id IS NULL', fields=['user', 'business', 'role'], name='staff_roles_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
        migrations.AddField(
            model_name='business',
            name='account_manager',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='business',
            name='active_at',
            field=models.DateTimeField(default=console.core.clock.now),
        ),
        migrations.AddIndex(
            model_name='business',
            index=models.Index(fields=['name', 'id'], name='businesses_by_name'),
        ),
        migrations.AddIndex(
            model_name='business',
            index=models.Index(fields=['created_at', 'id'], name='businesses_by_age'),
        ),
        migrations.AddIndex(
            model_name='business',
            index=models.Index(fields=['active_at', 'id'], name='businesses_by_activity'),
        ),
        migrations.AddConstraint(
            model_name='business',
            constraint=console.audit.recorded.Recorded(about='', added=False, condition='OLD.account_manager_id IS DISTINCT FROM NEW.account_manager_id', fields=['account_manager'], name='account_managers_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]
