CREATE TRIGGER rule_key BEFORE UPDATE ON sources_organisation FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('id', 'key');
CREATE TRIGGER rule_key BEFORE UPDATE ON sources_source FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('id', 'key');

-- A source keeps its attribution, its verified dates come from verifications alone, and its own fields
-- change only with a note once a person has verified it (the note shows under /corrections).
CREATE OR REPLACE FUNCTION rule_source_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  kept text[] := ARRAY['verified_on', 'verified_representation', 'read_directly'];
BEGIN
  IF OLD.publisher_id IS NOT NULL AND NEW.publisher_id IS NULL THEN
    PERFORM refuse('source_attribution_permanent',
      format('The source %s cannot lose its publisher.', OLD.key),
      'Name the right publisher instead; an attribution is never removed once given.');
  END IF;
  -- Only rule_verification_shown may move them: it runs as the owner, inside another trigger.
  IF (NEW.verified_on, NEW.verified_representation, NEW.read_directly)
     IS DISTINCT FROM (OLD.verified_on, OLD.verified_representation, OLD.read_directly)
     AND (pg_trigger_depth() = 1 OR NOT pg_has_role(current_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'USAGE')) THEN
    PERFORM refuse('verified_on_from_verifications',
      format('The verified date of the source %s comes from its verifications alone.', OLD.key),
      'Record a verification.');
  END IF;
  IF OLD.verified_on IS NOT NULL
     AND to_jsonb(NEW) - kept IS DISTINCT FROM to_jsonb(OLD) - kept
     AND coalesce(current_setting('registry.change_note', true), '') !~ '[[:alnum:]]' THEN
    PERFORM refuse('source_change_noted',
      format('The source %s cannot change without a note: readers see it under /corrections.', OLD.key),
      'Say what changed and why: in the admin on the source''s page, in SQL with '
      'SET LOCAL registry.change_note = ''…'' in the same transaction.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_source_change BEFORE UPDATE ON sources_source FOR EACH ROW
  EXECUTE FUNCTION rule_source_change();

CREATE OR REPLACE FUNCTION rule_source_born_unverified() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.verified_on IS NOT NULL OR NEW.read_directly THEN
    PERFORM refuse('verified_on_from_verifications',
      format('The verified date of the source %s comes from its verifications alone.', NEW.key),
      'Add the source first, then record a verification.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_source_born_unverified BEFORE INSERT ON sources_source FOR EACH ROW
  EXECUTE FUNCTION rule_source_born_unverified();

-- What has not come yet cannot have been read. Of a month or a year its first day is kept.
CREATE OR REPLACE FUNCTION rule_source_dated() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  latest date := greatest(NEW.published_on, NEW.last_modified_on);
BEGIN
  IF latest > (now() AT TIME ZONE 'UTC')::date THEN
    PERFORM refuse('source_date_not_in_future',
      format('The source %s cannot bear the date %s: that day has not come yet.', NEW.key, latest),
      'Give the day it was published or last modified, of a month or a year the first.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_dated BEFORE INSERT OR UPDATE OF published_on, last_modified_on ON sources_source FOR EACH ROW
  EXECUTE FUNCTION rule_source_dated();

-- A source's day of publication counts; it may be modified again after an older reading.
CREATE OR REPLACE FUNCTION rule_verification_dated() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  read_one sources_source%ROWTYPE;
BEGIN
  SELECT * INTO read_one FROM sources_source WHERE id = NEW.source_id;
  IF NEW.verified_on < read_one.published_on THEN
    PERFORM refuse('verification_after_publication',
      format('The source %s was published on %s and cannot have been read on %s.',
             read_one.key, read_one.published_on, NEW.verified_on),
      'Give the day the source was read, or correct its day of publication first.');
  END IF;
  IF NEW.verified_on > (now() AT TIME ZONE 'UTC')::date THEN
    PERFORM refuse('verification_not_in_future',
      format('A source cannot have been read on %s: that day has not come yet.', NEW.verified_on),
      'Give the day the source was read.');
  END IF;
  NEW.recorded_at := clock_timestamp();
  RETURN NEW;
END $$;
CREATE TRIGGER rule_dated BEFORE INSERT ON sources_verification FOR EACH ROW
  EXECUTE FUNCTION rule_verification_dated();

-- The newest success is what readers see; having read the text itself once outlasts a later excerpt or repost.
CREATE OR REPLACE FUNCTION rule_verification_shown() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF NEW.outcome = 'confirmed' THEN
    -- First the lock, then a fresh look: else the slower of two verifications would put its older date last.
    PERFORM FROM sources_source WHERE id = NEW.source_id FOR NO KEY UPDATE;
    UPDATE sources_source SET
      verified_on = newest.verified_on,
      verified_representation = newest.representation,
      read_directly = read_directly OR NEW.representation IN ('full text', 'excerpt')
    FROM (SELECT verified_on, representation FROM sources_verification
          WHERE source_id = NEW.source_id AND outcome = 'confirmed'
          ORDER BY verified_on DESC, id DESC LIMIT 1) newest
    WHERE sources_source.id = NEW.source_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_shown AFTER INSERT ON sources_verification FOR EACH ROW
  EXECUTE FUNCTION rule_verification_shown();

CREATE OR REPLACE FUNCTION rule_passage_immutable() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse('passage_immutable',
    format('The passage "%s" cannot change: entries may rest on its words.', OLD.locator),
    'Add another passage and cite that one.');
  RETURN NULL;
END $$;
CREATE TRIGGER rule_immutable BEFORE UPDATE ON sources_passage FOR EACH ROW
  EXECUTE FUNCTION rule_passage_immutable();

CREATE TRIGGER rule_append_only BEFORE UPDATE OR DELETE ON sources_verification FOR EACH ROW
  EXECUTE FUNCTION rule_append_only();
CREATE TRIGGER rule_append_only BEFORE UPDATE OR DELETE ON sources_linkcheck FOR EACH ROW
  EXECUTE FUNCTION rule_append_only();
CREATE TRIGGER rule_append_only BEFORE UPDATE OR DELETE ON sources_passagecheck FOR EACH ROW
  EXECUTE FUNCTION rule_append_only();
CREATE TRIGGER rule_append_only BEFORE UPDATE OR DELETE ON sources_referencechange FOR EACH ROW
  EXECUTE FUNCTION rule_append_only();

CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON sources_organisation EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON sources_source EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON sources_passage EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON sources_verification EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON sources_linkcheck EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON sources_passagecheck EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON sources_referencechange EXECUTE FUNCTION rule_no_truncate();
