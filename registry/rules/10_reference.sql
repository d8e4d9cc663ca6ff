CREATE TRIGGER rule_key BEFORE UPDATE ON registry_subject FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('id', 'key', 'kind');
CREATE TRIGGER rule_key BEFORE UPDATE ON registry_property FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('id', 'key', 'subject_kind');
CREATE TRIGGER rule_kept BEFORE DELETE ON registry_subject FOR EACH ROW EXECUTE FUNCTION rule_needed_is_kept();
CREATE TRIGGER rule_kept BEFORE DELETE ON registry_property FOR EACH ROW EXECUTE FUNCTION rule_needed_is_kept();
CREATE TRIGGER rule_id BEFORE INSERT ON registry_subject FOR EACH ROW EXECUTE FUNCTION rule_id_given_once();
CREATE TRIGGER rule_id BEFORE INSERT ON registry_property FOR EACH ROW EXECUTE FUNCTION rule_id_given_once();
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON registry_subject FOR EACH ROW
  EXECUTE FUNCTION rule_remember_change('subject');
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON registry_property FOR EACH ROW
  EXECUTE FUNCTION rule_remember_change('property');
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_subject EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_property EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_gpu EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_checkpoint EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_runtime EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_formerslug EXECUTE FUNCTION rule_no_truncate();

-- An address that once led to a subject leads to it for ever.
CREATE OR REPLACE FUNCTION rule_former_slug() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM registry_formerslug
             WHERE kind = NEW.kind AND slug = NEW.slug AND subject_id <> NEW.id) THEN
    PERFORM refuse('subject_slug_once',
      format('The slug %s was the address of another subject and still leads there.', NEW.slug),
      'Choose another slug.');
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.slug <> OLD.slug THEN
    DELETE FROM registry_formerslug WHERE kind = NEW.kind AND slug = NEW.slug;
    INSERT INTO registry_formerslug (kind, slug, subject_id) VALUES (OLD.kind, OLD.slug, OLD.id);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_former_slug BEFORE INSERT OR UPDATE ON registry_subject FOR EACH ROW
  EXECUTE FUNCTION rule_former_slug();

-- Readers see a subject or a property once something about it was published, and an organisation once it has made,
-- said, measured or written such a thing.
CREATE OR REPLACE FUNCTION subject_seen(subject bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM registry_claim WHERE subject_id = subject AND status NOT IN ('draft', 'submitted'))
    OR EXISTS (SELECT FROM registry_claimcontext context JOIN registry_claim claim ON claim.id = context.entry_id
               WHERE context.subject_id = subject AND claim.status NOT IN ('draft', 'submitted'))
    OR EXISTS (SELECT FROM registry_benchmarkrecord WHERE subject IN (hardware_id, checkpoint_id, runtime_id)
               AND status NOT IN ('draft', 'submitted'))
$$;
CREATE OR REPLACE FUNCTION property_seen(property bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM registry_claim WHERE property_id = property AND status NOT IN ('draft', 'submitted'))
$$;
CREATE OR REPLACE FUNCTION organisation_seen(organisation bigint) RETURNS boolean
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM sources_source WHERE publisher_id = organisation AND verified_on IS NOT NULL)
    OR EXISTS (SELECT FROM registry_claim WHERE asserter_id = organisation AND status NOT IN ('draft', 'submitted'))
    OR EXISTS (SELECT FROM registry_reproduction WHERE performer_id = organisation
               AND status NOT IN ('draft', 'submitted'))
    OR EXISTS (SELECT FROM registry_benchmarkrecord WHERE organisation IN (submitter_id, performed_by_id)
               AND status NOT IN ('draft', 'submitted'))
    OR EXISTS (SELECT FROM registry_subject WHERE maker_id = organisation AND subject_seen(id))
    OR EXISTS (SELECT FROM sources_organisation child JOIN registry_subject ON maker_id = child.id
               WHERE child.parent_id = organisation AND subject_seen(registry_subject.id))
$$;

-- A new unit, name or maker would change what published claims say: readers are told. Order and headline are layout.
CREATE OR REPLACE FUNCTION rule_reference_noted() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  layout text[] := ARRAY['group', 'position', 'headline'];
  changed jsonb := to_jsonb(NEW);
  was jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) END;
  called text := replace(replace(TG_TABLE_NAME, 'registry_', ''), 'sources_', '');
  seen boolean;
BEGIN
  IF coalesce(current_setting('registry.change_note', true), '') !~ '[[:alnum:]]'
     AND (TG_OP = 'INSERT' OR changed - layout IS DISTINCT FROM was - layout) THEN
    seen := CASE TG_TABLE_NAME
      WHEN 'registry_subject' THEN subject_seen((changed ->> 'id')::bigint)
      WHEN 'registry_property' THEN property_seen((changed ->> 'id')::bigint)
      WHEN 'sources_organisation' THEN organisation_seen((changed ->> 'id')::bigint)
      ELSE subject_seen((changed ->> 'subject_id')::bigint) OR subject_seen((was ->> 'subject_id')::bigint) END;
    IF seen THEN
      PERFORM refuse('reference_change_noted',
        format('The %s %s cannot change without a note: published entries rest on it and readers see it under /corrections.',
               called, coalesce(was ->> 'key', (SELECT key FROM registry_subject WHERE id = (changed ->> 'subject_id')::bigint))),
        'Say what changed and why: in the admin on its page, in SQL with '
        'SET LOCAL registry.change_note = ''…'' in the same transaction.');
    END IF;
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_noted BEFORE UPDATE ON registry_subject FOR EACH ROW EXECUTE FUNCTION rule_reference_noted();
CREATE TRIGGER rule_noted BEFORE UPDATE ON registry_property FOR EACH ROW EXECUTE FUNCTION rule_reference_noted();
CREATE TRIGGER rule_noted BEFORE UPDATE ON sources_organisation FOR EACH ROW EXECUTE FUNCTION rule_reference_noted();
CREATE TRIGGER rule_noted BEFORE INSERT OR UPDATE ON registry_gpu FOR EACH ROW EXECUTE FUNCTION rule_reference_noted();
CREATE TRIGGER rule_noted BEFORE INSERT OR UPDATE ON registry_checkpoint FOR EACH ROW
  EXECUTE FUNCTION rule_reference_noted();
CREATE TRIGGER rule_noted BEFORE INSERT OR UPDATE ON registry_runtime FOR EACH ROW
  EXECUTE FUNCTION rule_reference_noted();

-- Gone and come again, details would be others without a word of what they were before.
CREATE OR REPLACE FUNCTION rule_detail_is_kept() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF subject_seen(OLD.subject_id) THEN
    PERFORM refuse('detail_is_kept',
      format('The %s details of %s cannot be deleted: published entries rest on them.',
             replace(TG_TABLE_NAME, 'registry_', ''), (SELECT key FROM registry_subject WHERE id = OLD.subject_id)),
      'Change them, with a note that readers see.');
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER rule_kept BEFORE DELETE ON registry_gpu FOR EACH ROW EXECUTE FUNCTION rule_detail_is_kept();
CREATE TRIGGER rule_kept BEFORE DELETE ON registry_checkpoint FOR EACH ROW EXECUTE FUNCTION rule_detail_is_kept();
CREATE TRIGGER rule_kept BEFORE DELETE ON registry_runtime FOR EACH ROW EXECUTE FUNCTION rule_detail_is_kept();

-- A subject's details belong to its history; filling them in before readers see it is part of making it.
CREATE OR REPLACE FUNCTION rule_remember_detail() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  old_row jsonb := CASE WHEN TG_OP = 'INSERT' THEN '{}' ELSE to_jsonb(OLD) - 'subject_id' END;
  new_row jsonb := CASE WHEN TG_OP = 'DELETE' THEN '{}' ELSE to_jsonb(NEW) - 'subject_id' END;
  was jsonb;
  is_now jsonb;
  of_subject bigint := CASE WHEN TG_OP = 'DELETE' THEN OLD.subject_id ELSE NEW.subject_id END;
BEGIN
  IF old_row = new_row OR (TG_OP = 'INSERT' AND NOT subject_seen(of_subject)) THEN
    RETURN NULL;
  END IF;
  SELECT jsonb_object_agg(key, value) INTO was FROM jsonb_each(old_row) WHERE value IS DISTINCT FROM new_row -> key;
  SELECT jsonb_object_agg(key, value) INTO is_now FROM jsonb_each(new_row) WHERE value IS DISTINCT FROM old_row -> key;
  INSERT INTO sources_referencechange ("table", key, operation, before, after, note, changed_by_id, changed_at)
  SELECT 'subject', key, 'update', was, is_now, left(coalesce(current_setting('registry.change_note', true), ''), 1000),
         substring(current_setting('registry.user_id', true) FROM '^\d{1,9}$')::integer, clock_timestamp()
  FROM registry_subject WHERE id = of_subject;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON registry_gpu FOR EACH ROW
  EXECUTE FUNCTION rule_remember_detail();
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON registry_checkpoint FOR EACH ROW
  EXECUTE FUNCTION rule_remember_detail();
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON registry_runtime FOR EACH ROW
  EXECUTE FUNCTION rule_remember_detail();
CREATE TRIGGER rule_key BEFORE UPDATE ON registry_gpu FOR EACH ROW EXECUTE FUNCTION rule_key_is_permanent('subject_id');
CREATE TRIGGER rule_key BEFORE UPDATE ON registry_checkpoint FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('subject_id');
CREATE TRIGGER rule_key BEFORE UPDATE ON registry_runtime FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('subject_id');
