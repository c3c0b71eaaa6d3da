CREATE FUNCTION public.agreements_note_awaited() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  is_open boolean;
BEGIN
  IF TG_TABLE_NAME = 'agreements_decision' THEN
    -- The other trigger counts again.
    UPDATE public.agreements_pack SET awaits_legal = awaits_legal
    WHERE revision_id = NEW.revision_id;
    RETURN NULL;
  END IF;
  is_open := NEW.status = 'in_approval';
  SELECT
    is_open AND count(*) FILTER (WHERE role = 'compliance')
      < CASE NEW.tier WHEN 'HIGH' THEN 2 ELSE 1 END,
    is_open AND count(*) FILTER (WHERE role = 'commercial') < 1,
    is_open AND count(*) FILTER (WHERE role = 'legal') < 1
  INTO NEW.awaits_compliance, NEW.awaits_commercial, NEW.awaits_legal
  FROM public.agreements_decision
  WHERE is_open AND revision_id = NEW.revision_id AND verdict = 'approved';
  RETURN NEW;
END $$;
CREATE TRIGGER a_pack_says_whose_approval_it_awaits
BEFORE INSERT OR UPDATE ON public.agreements_pack
FOR EACH ROW EXECUTE FUNCTION public.agreements_note_awaited();
CREATE TRIGGER a_decision_tells_its_pack
AFTER INSERT ON public.agreements_decision
FOR EACH ROW EXECUTE FUNCTION public.agreements_note_awaited();
