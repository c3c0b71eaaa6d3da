"""A decision on a pack is a reviewer's, in their one capacity; who signs took part.

What a folder made before says of its decisions comes first: then who is left in the log as
having returned an application did it for compliance.
"""

from django.db import migrations

RULES = """
CREATE FUNCTION public.agreements_require_reviewer() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM public.agreements_revision AS revision
    JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
    JOIN public.onboarding_reviewer AS reviewer
      ON reviewer.application_id = pack.application_id
    WHERE revision.id = NEW.revision_id AND reviewer.person_id = NEW.person_id
      AND reviewer.capacity = NEW.role) THEN
    RAISE EXCEPTION 'a pack is decided on by a reviewer of its case, in their one capacity'
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_decision_is_its_reviewers BEFORE INSERT ON public.agreements_decision
FOR EACH ROW EXECUTE FUNCTION public.agreements_require_reviewer();

CREATE FUNCTION public.agreements_signatory_is_participant() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  business bigint;
BEGIN
  SELECT pack.business_id INTO business FROM public.agreements_revision AS revision
  JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
  WHERE revision.id = NEW.revision_id;
  PERFORM public.accounts_note_participant(business, NEW.person_id);
  RETURN NEW;
END $$;
CREATE TRIGGER who_signs_is_a_participant AFTER INSERT ON public.agreements_signatureact
FOR EACH ROW EXECUTE FUNCTION public.agreements_signatory_is_participant();
"""
NO_RULES = """
DROP TRIGGER who_signs_is_a_participant ON public.agreements_signatureact;
DROP TRIGGER a_decision_is_its_reviewers ON public.agreements_decision;
DROP FUNCTION public.agreements_signatory_is_participant();
DROP FUNCTION public.agreements_require_reviewer();
"""
UNTIL_NOW = """
SELECT public.accounts_note_participant(pack.business_id, act.person_id)
FROM public.agreements_signatureact AS act
JOIN public.agreements_revision AS revision ON revision.id = act.revision_id
JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id;
WITH told AS (
SELECT pack.application_id, pack.business_id, decision.person_id, decision.role AS capacity,
       CASE decision.verdict WHEN 'approved' THEN 'approve'
                             WHEN 'countersigned' THEN 'countersign'
                             ELSE 'send_back' END AS kind,
       decision.note, decision.at, 1 AS rank
FROM public.agreements_decision AS decision
JOIN public.agreements_revision AS revision ON revision.id = decision.revision_id
JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
UNION ALL
SELECT application.id, application.business_id, person.id, 'compliance', 'return', '',
       entry.at, 2
FROM public.audit_entry AS entry
JOIN public.onboarding_application AS application ON application.public_id = entry.subject_id
JOIN public.accounts_user AS person ON person.public_id = entry.actor_id
WHERE entry.code = 'application.returned' AND NOT EXISTS (
  SELECT FROM public.agreements_decision AS decision
  JOIN public.agreements_revision AS revision ON revision.id = decision.revision_id
  JOIN public.agreements_pack AS pack ON pack.id = revision.pack_id
  WHERE pack.application_id = application.id AND decision.person_id = person.id
    AND decision.verdict = 'returned')
), acts AS (
SELECT * FROM told WHERE NOT EXISTS (
  SELECT FROM public.accounts_participant AS participant
  WHERE participant.business_id = told.business_id AND participant.person_id = told.person_id)
), added AS (
INSERT INTO public.onboarding_reviewer (application_id, person_id, capacity, since)
SELECT DISTINCT ON (application_id, person_id) application_id, person_id, capacity, at
FROM acts ORDER BY application_id, person_id, rank, at
ON CONFLICT (application_id, person_id) DO NOTHING
RETURNING id, application_id, person_id
), reviewers AS (
SELECT id, application_id, person_id FROM added
UNION SELECT id, application_id, person_id FROM public.onboarding_reviewer
)
INSERT INTO public.onboarding_caseact (reviewer_id, kind, outcome, note, at)
SELECT reviewers.id, acts.kind, '', acts.note, acts.at
FROM acts JOIN reviewers USING (application_id, person_id) ORDER BY acts.at
"""


class Migration(migrations.Migration):
    dependencies = [
        ("agreements", "0003_executed_files"),
        ("onboarding", "0007_reviewers_until_now"),
    ]
    operations = [
        migrations.RunSQL(RULES, NO_RULES),
        migrations.RunSQL(UNTIL_NOW, migrations.RunSQL.noop),
    ]
