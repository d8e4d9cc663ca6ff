-- Who changed which reference row. Runs as the owner: the web role may only read the history.
-- The person comes from registry.user_id, the reason from registry.change_note; both are transaction-local
-- settings an action makes (sources/actions/acting.py).
CREATE OR REPLACE FUNCTION rule_remember_change() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  old_row jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
  new_row jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) END;
  kept text[] := ARRAY['verified_on', 'verified_representation', 'read_directly', 'created_at', 'id'];
  was jsonb;
  is_now jsonb;
BEGIN
  SELECT jsonb_object_agg(key, value) INTO was FROM jsonb_each(old_row - kept)
    WHERE value IS DISTINCT FROM new_row -> key;
  SELECT jsonb_object_agg(key, value) INTO is_now FROM jsonb_each(new_row - kept)
    WHERE value IS DISTINCT FROM old_row -> key;
  IF was IS NULL AND is_now IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO sources_referencechange ("table", key, operation, before, after, note, changed_by_id, changed_at)
  VALUES (TG_ARGV[0], coalesce(new_row ->> 'key', old_row ->> 'key'), lower(TG_OP), was, is_now,
          left(coalesce(current_setting('registry.change_note', true), ''), 1000),
          substring(current_setting('registry.user_id', true) FROM '^\d{1,9}$')::integer, clock_timestamp());
  RETURN NULL;
END $$;
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON sources_organisation FOR EACH ROW
  EXECUTE FUNCTION rule_remember_change('organisation');
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON sources_source FOR EACH ROW
  EXECUTE FUNCTION rule_remember_change('source');
