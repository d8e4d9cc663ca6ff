-- Every rule refuses through this function, so that Django sees an IntegrityError with the rule's name,
-- a sentence and a remedy (SQLSTATE 23514).
CREATE OR REPLACE FUNCTION refuse(rule text, sentence text, remedy text) RETURNS void
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'check_violation', MESSAGE = sentence, HINT = remedy, CONSTRAINT = rule;
END $$;

-- Arguments: the columns that never change.
CREATE OR REPLACE FUNCTION rule_key_is_permanent() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  field text;
BEGIN
  FOREACH field IN ARRAY TG_ARGV LOOP
    IF to_jsonb(NEW) ->> field IS DISTINCT FROM to_jsonb(OLD) ->> field THEN
      PERFORM refuse('key_is_permanent',
        format('The %s of %s %s is permanent and cannot become %s.', field,
               replace(replace(TG_TABLE_NAME, 'registry_', ''), 'sources_', ''),
               coalesce(to_jsonb(OLD) ->> 'key', to_jsonb(OLD) ->> 'id'), to_jsonb(NEW) ->> field),
        'Make a new record, or change the name or slug that readers see.');
    END IF;
  END LOOP;
  RETURN NEW;
END $$;

CREATE OR REPLACE FUNCTION rule_append_only() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM refuse('append_only',
    format('Rows of %s are kept for ever: they are neither changed nor deleted.', TG_TABLE_NAME),
    'Add a new row that says what is true now.');
  RETURN NULL;
END $$;

-- TRUNCATE fires no row trigger. Django's test flush truncates as the owner in a database named test_….
CREATE OR REPLACE FUNCTION rule_no_truncate() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_database() LIKE 'test\_%'
     AND pg_has_role(session_user, (SELECT relowner FROM pg_class WHERE oid = TG_RELID), 'MEMBER') THEN
    RETURN NULL;
  END IF;
  PERFORM refuse('no_truncate',
    format('%s cannot be truncated: what was published stays.', TG_TABLE_NAME),
    'Withdraw entries one by one, with a reason.');
  RETURN NULL;
END $$;
