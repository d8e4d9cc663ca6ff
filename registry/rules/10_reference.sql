CREATE TRIGGER rule_key BEFORE UPDATE ON registry_subject FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('id', 'key', 'kind');
CREATE TRIGGER rule_key BEFORE UPDATE ON registry_property FOR EACH ROW
  EXECUTE FUNCTION rule_key_is_permanent('id', 'key', 'subject_kind');
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON registry_subject FOR EACH ROW
  EXECUTE FUNCTION rule_remember_change('subject');
CREATE TRIGGER rule_remember AFTER INSERT OR UPDATE OR DELETE ON registry_property FOR EACH ROW
  EXECUTE FUNCTION rule_remember_change('property');
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_subject EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_property EXECUTE FUNCTION rule_no_truncate();

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
