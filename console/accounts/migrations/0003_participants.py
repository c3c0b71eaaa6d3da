"""Who ever belonged to a business is kept, also when the membership is gone.

A trigger on memberships writes the rows, so that no way of joining forgets it. What a folder
already knows comes from its memberships and its log.
"""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import console.core.frozen

FUNCTIONS = """
CREATE FUNCTION public.accounts_note_participant(business bigint, who bigint) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.accounts_participant
                 WHERE business_id = business AND person_id = who) THEN
    INSERT INTO public.accounts_participant (business_id, person_id, since)
    VALUES (business, who, now()) ON CONFLICT (business_id, person_id) DO NOTHING;
  END IF;
END $$;
CREATE FUNCTION public.accounts_member_is_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NEW.business_id IS NOT NULL THEN
    PERFORM public.accounts_note_participant(NEW.business_id, NEW.user_id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_member_is_a_participant
AFTER INSERT OR UPDATE OF user_id, business_id ON public.accounts_membership
FOR EACH ROW EXECUTE FUNCTION public.accounts_member_is_participant();
"""
NO_FUNCTIONS = """
DROP TRIGGER a_member_is_a_participant ON public.accounts_membership;
DROP FUNCTION public.accounts_member_is_participant();
DROP FUNCTION public.accounts_note_participant(bigint, bigint);
"""
BACKFILL = """
INSERT INTO public.accounts_participant (business_id, person_id, since)
SELECT business_id, person_id, min(at) FROM (
  SELECT business_id, user_id AS person_id, since AS at
  FROM public.accounts_membership WHERE business_id IS NOT NULL
  UNION ALL
  SELECT business.id, person.id, entry.at
  FROM public.audit_entry entry
  JOIN public.accounts_business business ON business.public_id = entry.business_id
  JOIN public.accounts_user person ON person.public_id = entry.actor_id
  WHERE entry.code IN ('business.registered', 'member.joined')
  UNION ALL
  SELECT business.id, person.id, entry.at
  FROM public.audit_entry entry
  JOIN public.accounts_business business ON business.public_id = entry.business_id
  JOIN public.accounts_user person ON person.public_id = entry.subject_id
  WHERE entry.code = 'member.roles_changed'
) AS known GROUP BY business_id, person_id
"""


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_named_signatory"), ("audit", "0001_initial")]
    operations = [
        migrations.CreateModel(
            name="Participant",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("since", models.DateTimeField()),
                ("business", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to="accounts.business")),
                ("person", models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("business", "person"), name="a_participant_is_noted_once"),
                    console.core.frozen.NeverChanges(name="participants_never_change"),
                ],
            },
        ),
        migrations.RunSQL(FUNCTIONS, NO_FUNCTIONS),
        migrations.RunSQL(BACKFILL, migrations.RunSQL.noop),
    ]
