"""Webhook endpoints, public events, deliveries and attempts; three tables are kept by days."""

import console.core.frozen
import console.core.ids
import console.core.moves_constraint
import django.contrib.postgres.fields
import django.db.models.deletion
import functools
from django.db import migrations, models

# Tables of days: the comment says how many are kept at least, and only the owner can say so. What
# has no partition of its day yet lies in the default one: an event never stops a change.
DAYS = """
CREATE SEQUENCE public.webhooks_publicevent_id_seq;
CREATE TABLE public.webhooks_publicevent (
  id bigint NOT NULL DEFAULT nextval('public.webhooks_publicevent_id_seq'),
  public_id varchar(40) NOT NULL,
  business_id bigint NOT NULL,
  environment varchar(10) NOT NULL,
  kind varchar(60) NOT NULL,
  resource_id varchar(40) NOT NULL,
  sequence integer CHECK (sequence >= 0),
  body bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  PRIMARY KEY (created_at, id)
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE public.webhooks_publicevent_id_seq OWNED BY public.webhooks_publicevent.id;
COMMENT ON TABLE public.webhooks_publicevent IS 'days kept: 30';
CREATE TABLE public.webhooks_publicevent_default
PARTITION OF public.webhooks_publicevent DEFAULT;

CREATE SEQUENCE public.webhooks_webhookdelivery_id_seq;
CREATE TABLE public.webhooks_webhookdelivery (
  id bigint NOT NULL DEFAULT nextval('public.webhooks_webhookdelivery_id_seq'),
  public_id varchar(40) NOT NULL,
  event_id varchar(40) NOT NULL,
  event_created_at timestamp with time zone NOT NULL,
  event_kind varchar(60) NOT NULL,
  kind varchar(10) NOT NULL,
  status varchar(20) NOT NULL,
  attempts smallint NOT NULL CHECK (attempts >= 0),
  created_at timestamp with time zone NOT NULL,
  ended_at timestamp with time zone NULL,
  endpoint_id bigint NOT NULL,
  PRIMARY KEY (created_at, id)
) PARTITION BY RANGE (created_at);
ALTER SEQUENCE public.webhooks_webhookdelivery_id_seq
OWNED BY public.webhooks_webhookdelivery.id;
COMMENT ON TABLE public.webhooks_webhookdelivery IS 'days kept: 30';
CREATE TABLE public.webhooks_webhookdelivery_default
PARTITION OF public.webhooks_webhookdelivery DEFAULT;

CREATE SEQUENCE public.webhooks_deliveryattempt_id_seq;
CREATE TABLE public.webhooks_deliveryattempt (
  id bigint NOT NULL DEFAULT nextval('public.webhooks_deliveryattempt_id_seq'),
  delivery_id varchar(40) NOT NULL,
  environment varchar(10) NOT NULL,
  number smallint NOT NULL CHECK (number >= 0),
  at timestamp with time zone NOT NULL,
  status smallint NULL,
  error varchar(120) NOT NULL,
  signed_with varchar(10) NOT NULL,
  dns_us integer NULL,
  connect_us integer NULL,
  first_byte_us integer NULL,
  total_us integer NULL,
  excerpt text NOT NULL,
  PRIMARY KEY (environment, at, id)
) PARTITION BY LIST (environment);
ALTER SEQUENCE public.webhooks_deliveryattempt_id_seq
OWNED BY public.webhooks_deliveryattempt.id;
CREATE TABLE public.webhooks_deliveryattempt_live
PARTITION OF public.webhooks_deliveryattempt FOR VALUES IN ('live') PARTITION BY RANGE (at);
CREATE TABLE public.webhooks_deliveryattempt_sandbox
PARTITION OF public.webhooks_deliveryattempt FOR VALUES IN ('sandbox') PARTITION BY RANGE (at);
COMMENT ON TABLE public.webhooks_deliveryattempt_live IS 'days kept: 30';
COMMENT ON TABLE public.webhooks_deliveryattempt_sandbox IS 'days kept: 7';
CREATE TABLE public.webhooks_deliveryattempt_live_default
PARTITION OF public.webhooks_deliveryattempt_live DEFAULT;
CREATE TABLE public.webhooks_deliveryattempt_sandbox_default
PARTITION OF public.webhooks_deliveryattempt_sandbox DEFAULT;
SELECT public.console_day_partition(name, (now() AT TIME ZONE 'UTC')::date + ahead)
FROM generate_series(0, 7) AS ahead, unnest(ARRAY[
  'webhooks_publicevent', 'webhooks_webhookdelivery',
  'webhooks_deliveryattempt_live', 'webhooks_deliveryattempt_sandbox'
]) AS name;
"""
NO_DAYS = """
DROP TABLE public.webhooks_deliveryattempt;
DROP TABLE public.webhooks_webhookdelivery;
DROP TABLE public.webhooks_publicevent;
"""


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        ('core', '0001_initial'),
        ('accounts', '0001_initial'),
    ]

    operations = [
        migrations.CreateModel(
            name='WebhookEndpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('whe',), **{}), max_length=40, unique=True)),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('url', models.CharField(max_length=2048)),
                ('host', models.CharField(max_length=255)),
                ('description', models.CharField(blank=True, max_length=255)),
                ('enabled_events', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), size=None)),
                ('status', models.CharField(choices=[('active', 'Active'), ('paused', 'Paused')], default='active', max_length=20)),
                ('paused_reason', models.CharField(blank=True, choices=[('merchant', 'Paused by you'), ('failing', 'Failing for too long'), ('gone', 'Answered 410 Gone'), ('abuse', 'Stopped by our staff')], max_length=20)),
                ('paused_at', models.DateTimeField(null=True)),
                ('api_version', models.CharField(max_length=10)),
                ('created_at', models.DateTimeField()),
                ('removed_at', models.DateTimeField(null=True)),
                ('once', models.CharField(max_length=64)),
                ('secret', models.BinaryField()),
                ('secret_set_at', models.DateTimeField()),
                ('previous_secret', models.BinaryField(null=True)),
                ('previous_secret_ends_at', models.DateTimeField(null=True)),
                ('verification', models.CharField(choices=[('unverified', 'Not verified'), ('verified', 'Verified'), ('lapsed', 'Lapsed')], default='unverified', max_length=20)),
                ('verified_at', models.DateTimeField(null=True)),
                ('verification_method', models.CharField(blank=True, max_length=20)),
                ('failed_probes', models.PositiveSmallIntegerField(default=0)),
                ('probed_weekly', models.BooleanField(default=True)),
                ('business', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='webhook_endpoints', to='accounts.business')),
            ],
            options={
                'indexes': [models.Index(fields=['business', 'environment', '-created_at', '-id'], name='endpoints_in_reading_order'), models.Index(condition=models.Q(('removed_at', None), ('verification', 'unverified')), fields=['host'], name='unverified_endpoints_of_a_host')],
                'constraints': [models.UniqueConstraint(fields=('business', 'once'), name='a_form_makes_one_endpoint'), models.CheckConstraint(condition=models.Q(('environment__in', ['sandbox', 'live']), ('verification__in', ['unverified', 'verified', 'lapsed'])), name='endpoint_values_are_known'), models.CheckConstraint(condition=models.Q(models.Q(('paused_at__isnull', False), ('paused_reason__in', ['merchant', 'failing', 'gone', 'abuse']), ('status', 'paused')), models.Q(('paused_at', None), ('paused_reason', ''), ('status', 'active')), _connector='OR'), name='a_paused_endpoint_says_why'), models.CheckConstraint(condition=models.Q(models.Q(('previous_secret', None), ('previous_secret_ends_at', None)), models.Q(('previous_secret__isnull', False), ('previous_secret_ends_at__isnull', False)), _connector='OR'), name='a_previous_secret_has_an_end'), models.CheckConstraint(condition=models.Q(models.Q(('verification', 'verified'), _negated=True), ('verified_at__isnull', False), _connector='OR'), name='a_verified_endpoint_says_when'), models.CheckConstraint(condition=models.Q(('enabled_events', []), _negated=True), name='endpoint_wants_something'), console.core.moves_constraint.MovesConstraint(arrows=['>active', 'active>paused', 'paused>active'], name='endpoint_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'), console.core.frozen.SetOnce(anew='', deletable=False, fields=['id', 'public_id'], name='an_endpoint_is_one_endpoint', sql="CREATE TRIGGER %(name)s BEFORE UPDATE OF %(columns)s%(or_delete)s ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_second_value('%(label)s', '%(arguments)s', '%(anew)s')")],
            },
        ),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(DAYS, NO_DAYS)],
            state_operations=[
                migrations.CreateModel(
                    name='PublicEvent',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('public_id', models.CharField(max_length=40)),
                        ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                        ('kind', models.CharField(max_length=60)),
                        ('resource_id', models.CharField(max_length=40)),
                        ('sequence', models.PositiveIntegerField(null=True)),
                        ('body', models.BinaryField()),
                        ('created_at', models.DateTimeField()),
                        ('business', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='accounts.business')),
                    ],
                ),
                migrations.CreateModel(
                    name='WebhookDelivery',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('public_id', models.CharField(max_length=40)),
                        ('event_id', models.CharField(max_length=40)),
                        ('event_created_at', models.DateTimeField()),
                        ('event_kind', models.CharField(max_length=60)),
                        ('kind', models.CharField(choices=[('normal', 'Event'), ('replay', 'Sent again'), ('ping', 'Test event')], max_length=10)),
                        ('status', models.CharField(choices=[('pending', 'Pending'), ('delivered', 'Delivered'), ('exhausted', 'Failed'), ('abandoned', 'Abandoned')], max_length=20)),
                        ('attempts', models.PositiveSmallIntegerField(default=0)),
                        ('created_at', models.DateTimeField()),
                        ('ended_at', models.DateTimeField(null=True)),
                        ('endpoint', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.DO_NOTHING, to='webhooks.webhookendpoint')),
                    ],
                ),
                migrations.CreateModel(
                    name='DeliveryAttempt',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('delivery_id', models.CharField(max_length=40)),
                        ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                        ('number', models.PositiveSmallIntegerField()),
                        ('at', models.DateTimeField()),
                        ('status', models.SmallIntegerField(null=True)),
                        ('error', models.CharField(blank=True, max_length=120)),
                        ('signed_with', models.CharField(default='current', max_length=10)),
                        ('dns_us', models.IntegerField(null=True)),
                        ('connect_us', models.IntegerField(null=True)),
                        ('first_byte_us', models.IntegerField(null=True)),
                        ('total_us', models.IntegerField(null=True)),
                        ('excerpt', models.TextField(blank=True)),
                    ],
                    options={
                        'indexes': [models.Index(fields=['delivery_id'], name='attempts_of_a_delivery')],
                    },
                ),
            ],
        ),
        migrations.CreateModel(
            name='DispatcherHeartbeat',
            fields=[
                ('process', models.UUIDField(primary_key=True, serialize=False)),
                ('started_at', models.DateTimeField()),
                ('beat_at', models.DateTimeField()),
                ('sent', models.BigIntegerField(default=0)),
                ('failed', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='DeliveryDay',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('day', models.DateField()),
                ('succeeded', models.IntegerField(default=0)),
                ('failed', models.IntegerField(default=0)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='days', to='webhooks.webhookendpoint')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('endpoint', 'day'), name='one_count_of_a_day')],
            },
        ),
        migrations.CreateModel(
            name='EndpointNotice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=20)),
                ('counted_from', models.DateTimeField()),
                ('at', models.DateTimeField()),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='notices', to='webhooks.webhookendpoint')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('endpoint', 'kind', 'counted_from'), name='an_endpoint_notice_is_given_once')],
            },
        ),
        migrations.CreateModel(
            name='EndpointProbe',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('whp',), **{}), max_length=40, unique=True)),
                ('url', models.CharField(max_length=2048)),
                ('weekly', models.BooleanField(default=False)),
                ('asked_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('passed', models.BooleanField(null=True)),
                ('method', models.CharField(blank=True, max_length=20)),
                ('results', models.JSONField(default=list)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='probes', to='webhooks.webhookendpoint')),
            ],
            options={
                'indexes': [models.Index(fields=['endpoint', '-asked_at'], name='probes_of_an_endpoint')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('ended_at', None)), fields=('endpoint',), name='one_probe_at_a_time'), models.CheckConstraint(condition=models.Q(models.Q(('ended_at', None), ('passed', None)), models.Q(('ended_at__isnull', False), ('passed__isnull', False)), _connector='OR'), name='an_ended_probe_passed_or_not')],
            },
        ),
        migrations.CreateModel(
            name='EventSequence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('resource_id', models.CharField(max_length=60)),
                ('environment', models.CharField(choices=[('sandbox', 'Sandbox'), ('live', 'Live')], max_length=10)),
                ('newest', models.PositiveIntegerField()),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('resource_id', 'environment'), name='one_sequence_of_an_object')],
            },
        ),
        migrations.CreateModel(
            name='QueuedDelivery',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(max_length=40, unique=True)),
                ('event_id', models.CharField(max_length=40)),
                ('event_created_at', models.DateTimeField()),
                ('resource_id', models.CharField(max_length=60)),
                ('kind', models.CharField(choices=[('normal', 'Event'), ('replay', 'Sent again'), ('ping', 'Test event')], max_length=10)),
                ('created_at', models.DateTimeField()),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('due_at', models.DateTimeField()),
                ('not_before', models.DateTimeField(null=True)),
                ('lease_until', models.DateTimeField(null=True)),
                ('lease', models.UUIDField(null=True)),
                ('endpoint', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='webhooks.webhookendpoint')),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('lease_until', None)), fields=['endpoint', 'due_at', 'id'], name='queue_in_order_of_due'), models.Index(condition=models.Q(('lease_until__isnull', False)), fields=['lease_until'], name='queue_that_is_leased'), models.Index(condition=models.Q(('kind', 'ping'), ('lease_until', None)), fields=['endpoint'], name='pings_that_wait')],
                'constraints': [models.UniqueConstraint(condition=models.Q(('lease_until__isnull', False)), fields=('endpoint', 'resource_id'), name='one_under_way_of_a_resource'), models.CheckConstraint(condition=models.Q(models.Q(('lease', None), ('lease_until', None)), models.Q(('lease__isnull', False), ('lease_until__isnull', False)), _connector='OR'), name='a_lease_has_an_end')],
            },
        ),
        migrations.CreateModel(
            name='ReplayJob',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=functools.partial(console.core.ids.new, *('whr',), **{}), max_length=40, unique=True)),
                ('status', models.CharField(choices=[('running', 'Running'), ('done', 'Done'), ('cancelled', 'Cancelled')], default='running', max_length=20)),
                ('since', models.DateTimeField()),
                ('until', models.DateTimeField()),
                ('events', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), default=list, size=None)),
                ('statuses', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=list, size=None)),
                ('counted', models.IntegerField(default=0)),
                ('queued', models.IntegerField(default=0)),
                ('place_at', models.DateTimeField(null=True)),
                ('place_id', models.BigIntegerField(null=True)),
                ('asked_at', models.DateTimeField()),
                ('ended_at', models.DateTimeField(null=True)),
                ('endpoint', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='replays', to='webhooks.webhookendpoint')),
            ],
            options={
                'constraints': [models.UniqueConstraint(condition=models.Q(('status', 'running')), fields=('endpoint',), name='one_replay_of_an_endpoint_at_a_time'), console.core.moves_constraint.MovesConstraint(arrows=['>running', 'running>cancelled', 'running>done'], name='replay_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)')],
            },
        ),
        migrations.CreateModel(
            name='DeliveryLane',
            fields=[
                ('endpoint', models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, primary_key=True, related_name='lane', serialize=False, to='webhooks.webhookendpoint')),
                ('served_at', models.DateTimeField()),
                ('in_flight', models.IntegerField(default=0)),
                ('window', models.SmallIntegerField(default=4)),
                ('window_successes', models.SmallIntegerField(default=0)),
                ('paced_until', models.DateTimeField(null=True)),
                ('breaker_step', models.SmallIntegerField(default=0)),
                ('breaker_until', models.DateTimeField(null=True)),
                ('breaker_failures', models.IntegerField(default=0)),
                ('recovered_at', models.DateTimeField(null=True)),
                ('halted', models.CharField(blank=True, choices=[('merchant', 'Paused by you'), ('failing', 'Failing for too long'), ('gone', 'Answered 410 Gone'), ('abuse', 'Stopped by our staff')], max_length=20)),
                ('consecutive_failures', models.IntegerField(default=0)),
                ('failing_since', models.DateTimeField(null=True)),
                ('last_success_at', models.DateTimeField(null=True)),
                ('last_failure_at', models.DateTimeField(null=True)),
                ('last_error', models.CharField(blank=True, max_length=120)),
                ('previous_accepted', models.IntegerField(default=0)),
                ('current_accepted', models.IntegerField(default=0)),
            ],
            options={
                'indexes': [models.Index(fields=['served_at'], name='lanes_by_turn'), models.Index(condition=models.Q(('recovered_at__isnull', False)), fields=['recovered_at'], name='lanes_that_recovered'), models.Index(condition=models.Q(('halted', ''), _negated=True), fields=['halted'], name='lanes_that_are_halted')],
            },
        ),
        migrations.AddIndex(
            model_name='publicevent',
            index=models.Index(fields=['business', 'environment', '-created_at', '-id'], name='events_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='publicevent',
            index=models.Index(fields=['public_id'], name='events_by_id'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['endpoint', '-created_at', '-id'], name='deliveries_in_reading_order'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['public_id'], name='deliveries_by_id'),
        ),
        migrations.AddIndex(
            model_name='webhookdelivery',
            index=models.Index(fields=['event_id'], name='deliveries_of_an_event'),
        ),
        migrations.AddConstraint(
            model_name='webhookdelivery',
            constraint=console.core.moves_constraint.MovesConstraint(arrows=['>pending', 'abandoned>delivered', 'exhausted>delivered', 'pending>abandoned', 'pending>delivered', 'pending>exhausted'], name='delivery_moves_by_the_table', sql='CREATE TRIGGER %(name)s BEFORE INSERT OR UPDATE OF status ON %(table)s FOR EACH ROW EXECUTE FUNCTION public.console_refuse_unlisted_move(%(arguments)s)'),
        ),
        migrations.RunSQL(
            # Hot rows: they are changed in place, and vacuumed soon.
            """
            ALTER TABLE public.webhooks_queueddelivery
              SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
            ALTER TABLE public.webhooks_deliverylane SET (fillfactor = 50);
            """,
            migrations.RunSQL.noop,
        ),
    ]
