CREATE FUNCTION public.agreements_require_decisions() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  decided boolean;
BEGIN
  IF NEW.status = 'approved' THEN
    SELECT bool_or(role = 'commercial') AND bool_or(role = 'legal')
      AND count(*) FILTER (WHERE role = 'compliance') >= CASE NEW.tier WHEN 'HIGH' THEN 2 ELSE 1 END
      AND (NEW.tier <> 'HIGH' OR bool_or(role = 'compliance' AND as_head))
    INTO decided
    FROM public.agreements_decision WHERE revision_id = NEW.revision_id AND verdict = 'approved';
  ELSE
    SELECT count(*) > 0 INTO decided FROM public.agreements_decision
    WHERE revision_id = NEW.revision_id
      AND verdict = CASE NEW.status WHEN 'returned' THEN 'returned' ELSE 'countersigned' END;
  END IF;
  IF decided IS NOT TRUE THEN
    RAISE EXCEPTION 'a pack becomes % by the decisions on its revision', NEW.status
      USING ERRCODE = 'check_violation', CONSTRAINT = TG_NAME, TABLE = TG_TABLE_NAME;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER a_pack_is_decided_by_its_approvers BEFORE UPDATE OF status ON public.agreements_pack
FOR EACH ROW WHEN (
  NEW.status <> OLD.status AND NEW.status IN ('approved', 'returned', 'countersigning'))
EXECUTE FUNCTION public.agreements_require_decisions();
