-- Citations and other children of an entry (@child@ of @entry@) change only while it is a draft. Locking the
-- entry's row first is what keeps publishing and un-citing from slipping past each other.
CREATE OR REPLACE FUNCTION rule_@child@_of_draft() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  parent @entry@%ROWTYPE;
BEGIN
  IF TG_OP IN ('UPDATE', 'DELETE') THEN
    SELECT * INTO parent FROM @entry@ WHERE id = OLD.entry_id FOR NO KEY UPDATE;
    IF FOUND AND parent.status <> 'draft' THEN
      PERFORM refuse('entry_frozen',
        format('%s is %s: its @parts@ cannot change.', @entry@_name(parent.number, parent.revision, parent.id), parent.status),
        CASE parent.status WHEN 'submitted' THEN 'Return it to its author first; then it is a draft again.'
          ELSE 'Correct it: the new revision may have others, and this one stays readable.' END);
    END IF;
  END IF;
  IF TG_OP IN ('INSERT', 'UPDATE') THEN
    SELECT * INTO parent FROM @entry@ WHERE id = NEW.entry_id FOR NO KEY UPDATE;
    IF FOUND AND parent.status <> 'draft' THEN
      PERFORM refuse('entry_frozen',
        format('%s is %s: its @parts@ cannot change.', @entry@_name(parent.number, parent.revision, parent.id), parent.status),
        CASE parent.status WHEN 'submitted' THEN 'Return it to its author first; then it is a draft again.'
          ELSE 'Correct it: the new revision may have others, and this one stays readable.' END);
    END IF;
    RETURN NEW;
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER rule_of_draft BEFORE INSERT OR UPDATE OR DELETE ON @child@ FOR EACH ROW
  EXECUTE FUNCTION rule_@child@_of_draft();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON @child@ EXECUTE FUNCTION rule_no_truncate();
