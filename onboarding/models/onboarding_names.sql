-- Whether answers that a business ever submitted contain an address of this user's mailboxes.
CREATE FUNCTION public.onboarding_names(business bigint, who bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT EXISTS (
    SELECT FROM public.onboarding_application AS application
    JOIN public.onboarding_submission AS submission ON submission.application_id = application.id,
    LATERAL jsonb_path_query(submission.body::jsonb #> '{body,answers}',
      '$.** ? (@.type() == "string" && @ like_regex "@")') AS named
    WHERE application.business_id = business
      AND public.accounts_mailbox(named #>> '{}') = ANY (public.accounts_mailboxes_of(who)))
$$;
