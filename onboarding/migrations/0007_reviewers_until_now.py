"""Who took part, and who decided as compliance, in the applications of a folder made before.

The answers, the submissions, the checks and the log say it. Who stood on both sides is a
participant, and no reviewer any more.
"""

from django.db import migrations

PARTICIPANTS = """
SELECT public.accounts_note_participant(business_id, person_id) FROM (
  SELECT DISTINCT application.business_id, given.by_id AS person_id
  FROM public.onboarding_answer AS given
  JOIN public.onboarding_application AS application ON application.id = given.application_id
  UNION
  SELECT application.business_id, submission.submitted_by_id
  FROM public.onboarding_submission AS submission
  JOIN public.onboarding_application AS application ON application.id = submission.application_id
) AS known
"""
# `application.returned` also follows from an approver's sending back: the agreements know whose.
REVIEWERS = """
WITH told AS (
SELECT application.id AS application_id, application.business_id, person.id AS person_id,
       CASE entry.code WHEN 'application.cleared' THEN 'clear'
                       WHEN 'application.held' THEN 'hold'
                       WHEN 'application.declined' THEN 'decline'
                       ELSE 'release' END AS kind,
       NULL::bigint AS check_id, '' AS outcome, '' AS note, entry.at
FROM public.audit_entry AS entry
JOIN public.onboarding_application AS application ON application.public_id = entry.subject_id
JOIN public.accounts_user AS person ON person.public_id = entry.actor_id
WHERE entry.code IN ('application.cleared', 'application.held', 'application.declined')
   OR entry.code = 'application.submitted'
      AND entry.body::jsonb #>> '{body,before,status}' = 'held'
UNION ALL
SELECT decided.application_id, application.business_id, decided.decided_by_id, 'decide_check',
       decided.id, decided.status, decided.reason, decided.decided_at
FROM public.onboarding_check AS decided
JOIN public.onboarding_application AS application ON application.id = decided.application_id
WHERE decided.decided_by_id IS NOT NULL
UNION ALL
SELECT decided.application_id, application.business_id, person.id, 'decide_check',
       decided.id, substr(entry.code, 7), '', entry.at
FROM public.audit_entry AS entry
JOIN public.onboarding_check AS decided ON decided.public_id = entry.subject_id
JOIN public.onboarding_application AS application ON application.id = decided.application_id
JOIN public.accounts_user AS person ON person.public_id = entry.actor_id
WHERE entry.code IN ('check.passed', 'check.failed')
  AND decided.decided_by_id IS DISTINCT FROM person.id
), acts AS (
SELECT * FROM told WHERE NOT EXISTS (
  SELECT FROM public.accounts_participant AS participant
  WHERE participant.business_id = told.business_id AND participant.person_id = told.person_id)
), added AS (
INSERT INTO public.onboarding_reviewer (application_id, person_id, capacity, since)
SELECT application_id, person_id, 'compliance', min(at) FROM acts
GROUP BY application_id, person_id
RETURNING id, application_id, person_id
)
INSERT INTO public.onboarding_caseact (reviewer_id, kind, decided_check_id, outcome, note, at)
SELECT added.id, acts.kind, acts.check_id, acts.outcome, acts.note, acts.at
FROM acts JOIN added USING (application_id, person_id) ORDER BY acts.at
"""


class Migration(migrations.Migration):
    dependencies = [("audit", "0001_initial"), ("onboarding", "0006_reviewers")]
    operations = [
        migrations.RunSQL(PARTICIPANTS, migrations.RunSQL.noop),
        migrations.RunSQL(REVIEWERS, migrations.RunSQL.noop),
    ]
