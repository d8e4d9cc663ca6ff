-- Reference rows readers see raise the registry's version; drafts and leads never do.
CREATE OR REPLACE FUNCTION rule_readers_see_it() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM raise_registry_state();
  RETURN NULL;
END $$;

CREATE TRIGGER rule_readers_see_it AFTER UPDATE OR DELETE ON sources_organisation FOR EACH STATEMENT
  EXECUTE FUNCTION rule_readers_see_it();
CREATE TRIGGER rule_readers_see_it AFTER UPDATE OR DELETE ON registry_subject FOR EACH STATEMENT
  EXECUTE FUNCTION rule_readers_see_it();
CREATE TRIGGER rule_readers_see_it AFTER UPDATE OR DELETE ON registry_property FOR EACH STATEMENT
  EXECUTE FUNCTION rule_readers_see_it();
CREATE TRIGGER rule_readers_see_it AFTER UPDATE OR DELETE ON registry_gpu FOR EACH STATEMENT
  EXECUTE FUNCTION rule_readers_see_it();
CREATE TRIGGER rule_readers_see_it AFTER UPDATE OR DELETE ON registry_checkpoint FOR EACH STATEMENT
  EXECUTE FUNCTION rule_readers_see_it();
CREATE TRIGGER rule_readers_see_it AFTER UPDATE OR DELETE ON registry_runtime FOR EACH STATEMENT
  EXECUTE FUNCTION rule_readers_see_it();

-- A source is seen once it is attributed and verified; before that it is an editor's lead.
CREATE OR REPLACE FUNCTION rule_readers_see_source() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM after WHERE verified_on IS NOT NULL AND publisher_id IS NOT NULL) THEN
    PERFORM raise_registry_state();
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_readers_see_source AFTER UPDATE ON sources_source
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION rule_readers_see_source();

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
