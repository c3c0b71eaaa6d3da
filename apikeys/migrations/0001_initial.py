"""Grants, keys and the request log, which is kept by days."""

import console.audit.recorded
import console.core.database_rule
import functools

import console.core.frozen
import console.core.ids
import console.core.moves_constraint
import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# A table of days: the comment says how many are kept, and only the owner can say so.
LOG = """
CREATE SEQUENCE public.apikeys_requestlog_id_seq;
CREATE TABLE public.apikeys_requestlog (
  id bigint NOT NULL DEFAULT nextval('public.apikeys_requestlog_id_seq'),
  at timestamp with time zone NOT NULL,
  request_id varchar(40) NOT NULL,
  key_id varchar(40) NOT NULL,
  environment varchar(10) NOT NULL,
  method varchar(10) NOT NULL,
  path varchar(200) NOT NULL,
  status smallint NOT NULL,
  code varchar(40) NOT NULL,
  ip inet NULL,
  version varchar(10) NOT NULL,
  agent varchar(120) NOT NULL,
  microseconds integer NOT NULL,
  business_id bigint NULL,
  PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
ALTER SEQUENCE public.apikeys_requestlog_id_seq OWNED BY public.apikeys_requestlog.id;
COMMENT ON TABLE public.apikeys_requestlog IS 'days kept: 90';
SELECT public.console_day_partition('apikeys_requestlog', (now() AT TIME ZONE 'UTC')::date + ahead)
FROM generate_series(0, 7) AS ahead;
"""
NO_LOG = "DROP TABLE public.apikeys_requestlog;"


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('audit', '0001_initial'),
        ('accounts', '0001_initial'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Grant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, "grt"), max_length=40, unique=True)),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('status', models.CharField(choices=[('closed', 'Closed'), ('open', 'Open'), ('suspended', 'Suspended')], default='closed', max_length=20)),
                ('products', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('live_products', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('tier', models.CharField(blank=True, max_length=10)),
                ('api_version', models.CharField(blank=True, max_length=10)),
                ('opened_at', models.DateTimeField(null=True)),
                ('networks', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=43), default=list, size=None)),
                ('requires_signatures', models.BooleanField(default=False)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='grants', to='accounts.business')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('business', 'environment'), name='one_grant_per_environment'), models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('status__in', ['closed', 'open', 'suspended'])), name='grant_status_is_known'), models.CheckConstraint(condition=models.Q(('status', 'closed'), ('opened_at__isnull', False), _connector='OR'), name='an_open_grant_says_since_when'), console.core.moves_constraint.MovesConstraint(arrows=['>closed', 'closed>open', 'open>closed', 'open>suspended', 'suspended>closed', 'suspended>open'], name='grant_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id'], name='a_grant_is_one_grant', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='ApiKey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(max_length=40, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('status', models.CharField(choices=[('active', 'Active'), ('rotating', 'Rotating'), ('disabled', 'Disabled'), ('revoked', 'Revoked'), ('expired', 'Expired')], default='active', max_length=20)),
                ('scopes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), size=None)),
                ('digest', models.BinaryField(max_length=32, unique=True)),
                ('pepper', models.SmallIntegerField()),
                ('issued_at', models.DateTimeField()),
                ('once', models.CharField(max_length=64)),
                ('stored_at', models.DateTimeField(null=True)),
                ('expires_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('last_used_at', models.DateTimeField(null=True)),
                ('last_used_ip', models.GenericIPAddressField(null=True)),
                ('enabled_at', models.DateTimeField(null=True)),
                ('networks', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=43), default=list, size=None)),
                ('rotated_at', models.DateTimeField(null=True)),
                ('grace_seconds', models.IntegerField(default=0)),
                ('secret_used_at', models.DateTimeField(null=True)),
                ('former_digest', models.BinaryField(max_length=32, null=True)),
                ('former_pepper', models.SmallIntegerField(null=True)),
                ('former_ends_at', models.DateTimeField(null=True)),
                ('issued_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('grant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='keys', to='apikeys.grant')),
            ],
            options={
                'indexes': [models.Index(fields=['grant', 'status'], name='keys_of_a_grant_by_status')],
                'constraints': [models.CheckConstraint(condition=models.Q(('status__in', ['active', 'rotating', 'disabled', 'revoked', 'expired'])), name='key_status_is_known'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('status__in', ('active', 'rotating', 'disabled'))), models.Q(('ended_at__isnull', False), ('status__in', ['expired', 'revoked'])), _connector='OR'), name='an_ended_key_says_when'), models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('issued_at'))), name='a_key_has_a_life'), models.CheckConstraint(condition=models.Q(models.Q(('status', 'rotating'), _negated=True), models.Q(('former_digest__isnull', False), ('former_ends_at__lte', models.F('expires_at')), ('former_pepper__isnull', False)), _connector='OR'), name='a_rotating_key_has_two_secrets'), models.UniqueConstraint(fields=('grant', 'once'), name='a_form_makes_one_key'), models.CheckConstraint(condition=models.Q(('scopes', []), _negated=True), name='a_key_may_do_something'), console.core.moves_constraint.MovesConstraint(arrows=['>active', 'active>disabled', 'active>expired', 'active>revoked', 'active>rotating', 'disabled>active', 'disabled>expired', 'disabled>revoked', 'rotating>active', 'rotating>expired', 'rotating>revoked'], name='key_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id', 'grant'], name='a_key_is_one_key', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.CreateModel(
            name='ProductUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('product', models.CharField(max_length=40)),
                ('at', models.DateTimeField()),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uses', to='apikeys.apikey')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'product'), name='one_last_use_of_a_product')],
            },
        ),
        migrations.CreateModel(
            name='KeyNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('counted_from', models.DateTimeField()),
                ('at', models.DateTimeField()),
                ('key', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notices', to='apikeys.apikey')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('key', 'kind', 'counted_from'), name='a_key_notice_is_given_once')],
            },
        ),
        migrations.CreateModel(
            name='NetworkRequest',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, "nrq"), max_length=40, unique=True)),
                ('network', models.CharField(max_length=43)),
                ('reason', models.TextField()),
                ('status', models.CharField(choices=[('requested', 'Requested'), ('granted', 'Granted'), ('declined', 'Declined')], default='requested', max_length=20)),
                ('requested_at', models.DateTimeField()),
                ('decided_at', models.DateTimeField(null=True)),
                ('decision_reason', models.TextField(blank=True)),
                ('decided_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('grant', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='network_requests', to='apikeys.grant')),
                ('requested_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('decided_at', None), ('decided_by', None), ('status', 'requested')), models.Q(('decided_at__isnull', False), ('decided_by__isnull', False), ('status__in', ['declined', 'granted'])), _connector='OR'), name='a_decided_network_says_by_whom'), console.core.moves_constraint.MovesConstraint(arrows=['>requested', 'requested>declined', 'requested>granted'], name='network_request_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)')],
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(LOG, NO_LOG)],
            state_operations=[
                migrations.CreateModel(
                    name='RequestLog',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('at', models.DateTimeField()),
                        ('request_id', models.CharField(max_length=40)),
                        ('key_id', models.CharField(blank=True, max_length=40)),
                        ('environment', models.CharField(max_length=10)),
                        ('method', models.CharField(max_length=10)),
                        ('path', models.CharField(max_length=200)),
                        ('status', models.SmallIntegerField()),
                        ('code', models.CharField(blank=True, max_length=40)),
                        ('ip', models.GenericIPAddressField(null=True)),
                        ('version', models.CharField(blank=True, max_length=10)),
                        ('agent', models.CharField(blank=True, max_length=120)),
                        ('microseconds', models.IntegerField()),
                        ('business', models.ForeignKey(db_constraint=False, db_index=False, null=True, on_delete=django.db.models.deletion.DO_NOTHING, to='accounts.business')),
                    ],
                ),
            ],
        ),
        migrations.AddIndex(
            model_name='requestlog',
            index=models.Index(fields=['business', '-at', '-id'], name='request_log_of_business'),
        ),
        migrations.AddIndex(
            model_name='requestlog',
            index=models.Index(fields=['request_id'], name='request_log_by_id'),
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=console.core.database_rule.DatabaseRule(name='apikeys_refuse_wider_key', sql="-- Scopes can only be removed. A new secret keeps the previous one, or restores it.\nCREATE FUNCTION public.apikeys_refuse_wider_key() RETURNS trigger\nLANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$\nBEGIN\n  IF NOT NEW.scopes <@ OLD.scopes\n    OR NEW.digest <> OLD.digest\n      AND NEW.former_digest IS DISTINCT FROM OLD.digest\n      AND NEW.digest IS DISTINCT FROM OLD.former_digest\n  THEN\n    RAISE EXCEPTION 'a key gets no further scope, and its secret changes by a rotation'\n      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;\n  END IF;\n  RETURN NEW;\nEND $$;\nCREATE TRIGGER a_key_never_widens BEFORE UPDATE OF scopes, digest, former_digest\nON public.apikeys_apikey FOR EACH ROW EXECUTE FUNCTION public.apikeys_refuse_wider_key();\n"),
        ),
        migrations.AddConstraint(
            model_name='apikey',
            constraint=console.audit.recorded.Recorded(about='', added=True, condition='true', fields=['scopes', 'digest'], name='changes_of_keys_are_recorded', sql="CREATE CONSTRAINT TRIGGER %(name)s AFTER %(moments)s ON %(table)s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%(condition)s) EXECUTE FUNCTION public.audit_require_entry('%(label)s', '%(about)s')"),
        ),
    ]
