-- Foreign keys are judged at the end of a transaction: until then a row could go and another come in its place under
-- the same id, and say other words to whoever refers to it. So what anything refers to stays, and an id means one row.

-- Asks every table that has a foreign key to this one, so that a new kind of entry needs no rule of its own.
CREATE OR REPLACE FUNCTION rule_needed_is_kept() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  reference record;
  needed boolean;
  needed_by text[] := '{}';
BEGIN
  FOR reference IN
    SELECT key.conrelid::regclass AS "table",
           string_agg(format('%I = ($1).%I', theirs.attname, ours.attname), ' AND ') AS refers
    FROM pg_constraint key
    CROSS JOIN LATERAL unnest(key.conkey, key.confkey) AS pair(theirs, ours)
    JOIN pg_attribute theirs ON theirs.attrelid = key.conrelid AND theirs.attnum = pair.theirs
    JOIN pg_attribute ours ON ours.attrelid = key.confrelid AND ours.attnum = pair.ours
    WHERE key.contype = 'f' AND key.confrelid = TG_RELID
    GROUP BY key.oid, key.conrelid ORDER BY 1, 2
  LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE %s)', reference."table", reference.refers) INTO needed USING OLD;
    IF needed THEN
      needed_by := needed_by || reference."table"::text;
    END IF;
  END LOOP;
  IF needed_by <> '{}' THEN
    PERFORM refuse('needed_is_kept',
      format('The %s %s cannot be deleted: rows of %s refer to it.',
             replace(replace(TG_TABLE_NAME, 'registry_', ''), 'sources_', ''),
             coalesce(to_jsonb(OLD) ->> 'key', format('"%s"', to_jsonb(OLD) ->> 'locator')),
             (SELECT string_agg(DISTINCT each, ', ') FROM unnest(needed_by) each)),
      'Only what nothing refers to can go. Correct this record, or add another and refer to that one from now on.');
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER rule_kept BEFORE DELETE ON sources_organisation FOR EACH ROW EXECUTE FUNCTION rule_needed_is_kept();
CREATE TRIGGER rule_kept BEFORE DELETE ON sources_source FOR EACH ROW EXECUTE FUNCTION rule_needed_is_kept();
CREATE TRIGGER rule_kept BEFORE DELETE ON sources_passage FOR EACH ROW EXECUTE FUNCTION rule_needed_is_kept();

-- The deleter sees no reference that is on its way in another transaction. Under another id the new row is not found
-- by that reference, and the foreign key refuses whoever comes last. The web role draws ids, but turns no sequence back.
CREATE OR REPLACE FUNCTION rule_id_given_once() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  drawn bigint;
BEGIN
  BEGIN
    drawn := currval(pg_get_serial_sequence(TG_RELID::regclass::text, 'id'));
  EXCEPTION WHEN object_not_in_prerequisite_state THEN
    NULL;  -- This session has drawn none yet.
  END;
  IF NEW.id IS DISTINCT FROM drawn THEN
    PERFORM refuse('id_given_once',
      format('A new %s cannot have the id %s: that number may have meant another record.',
             replace(replace(TG_TABLE_NAME, 'registry_', ''), 'sources_', ''), NEW.id),
      'Leave the id out: the database gives a new one.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_id BEFORE INSERT ON sources_organisation FOR EACH ROW EXECUTE FUNCTION rule_id_given_once();
CREATE TRIGGER rule_id BEFORE INSERT ON sources_source FOR EACH ROW EXECUTE FUNCTION rule_id_given_once();
CREATE TRIGGER rule_id BEFORE INSERT ON sources_passage FOR EACH ROW EXECUTE FUNCTION rule_id_given_once();
