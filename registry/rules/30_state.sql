-- What readers see of reference rows raises the registry's version; drafts, leads and rows nobody has cited never do.
-- Rows that readers see cannot be deleted (rule_kept refuses: others refer to them), and a row that is born is not seen
-- yet, so only updates matter; of a subject's details also what is filled in later.
CREATE OR REPLACE FUNCTION rule_readers_see_subject() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (TABLE after EXCEPT TABLE before) changed WHERE subject_seen(changed.id)) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_subject AFTER UPDATE ON registry_subject
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rule_readers_see_subject();

CREATE OR REPLACE FUNCTION rule_readers_see_property() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (TABLE after EXCEPT TABLE before) changed WHERE property_seen(changed.id)) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_property AFTER UPDATE ON registry_property
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rule_readers_see_property();

CREATE OR REPLACE FUNCTION rule_readers_see_organisation() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (TABLE after EXCEPT TABLE before) changed WHERE organisation_seen(changed.id)) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_organisation AFTER UPDATE ON sources_organisation
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT
  EXECUTE FUNCTION rule_readers_see_organisation();

-- A subject's details, row by row: few, and added or changed.
CREATE OR REPLACE FUNCTION rule_readers_see_detail() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF subject_seen(NEW.subject_id) AND (TG_OP = 'INSERT' OR NEW IS DISTINCT FROM OLD) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_detail AFTER INSERT OR UPDATE ON registry_gpu FOR EACH ROW
  EXECUTE FUNCTION rule_readers_see_detail();
CREATE TRIGGER rule_readers_see_detail AFTER INSERT OR UPDATE ON registry_checkpoint FOR EACH ROW
  EXECUTE FUNCTION rule_readers_see_detail();
CREATE TRIGGER rule_readers_see_detail AFTER INSERT OR UPDATE ON registry_runtime FOR EACH ROW
  EXECUTE FUNCTION rule_readers_see_detail();

-- A source is seen once it is attributed and verified; before that it is an editor's lead.
CREATE OR REPLACE FUNCTION rule_readers_see_source() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM (TABLE after EXCEPT TABLE before) changed
             WHERE changed.verified_on IS NOT NULL AND changed.publisher_id IS NOT NULL) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_source AFTER UPDATE ON sources_source
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rule_readers_see_source();

-- A verification of a seen source is in its history even when the newest date stays.
CREATE OR REPLACE FUNCTION rule_readers_see_verification() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM after JOIN sources_source source ON source.id = after.source_id
             WHERE source.verified_on IS NOT NULL AND source.publisher_id IS NOT NULL) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_verification AFTER INSERT ON sources_verification
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rule_readers_see_verification();

-- Of a robot's looks readers see only what they change: the standing of a link.
CREATE OR REPLACE FUNCTION rule_readers_see_link() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM after JOIN before USING (source_id) JOIN sources_source source ON source.id = source_id
             WHERE (after.state, after.since, after.moved_to) IS DISTINCT FROM (before.state, before.since, before.moved_to)
               AND source.verified_on IS NOT NULL AND source.publisher_id IS NOT NULL) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_link AFTER UPDATE ON sources_link
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rule_readers_see_link();

-- … and whether a cited passage is under review.
CREATE OR REPLACE FUNCTION rule_readers_see_passage_look() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.review_since IS DISTINCT FROM (CASE WHEN TG_OP = 'UPDATE' THEN OLD.review_since END)
     AND EXISTS (SELECT FROM sources_passage passage JOIN sources_source source ON source.id = passage.source_id
                 WHERE passage.id = NEW.passage_id AND source.verified_on IS NOT NULL AND source.publisher_id IS NOT NULL) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_passage_look AFTER INSERT OR UPDATE ON sources_passagelook FOR EACH ROW
  EXECUTE FUNCTION rule_readers_see_passage_look();
