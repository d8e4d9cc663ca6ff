-- The log is written by the database alone: the web role may only read it.
CREATE TRIGGER rule_append_only BEFORE UPDATE OR DELETE ON registry_publication FOR EACH ROW
  EXECUTE FUNCTION rule_append_only();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_publication EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_publicationhead EXECUTE FUNCTION rule_no_truncate();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_registrystate EXECUTE FUNCTION rule_no_truncate();

CREATE OR REPLACE FUNCTION raise_registry_state() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  -- Log head before state, whoever comes first: one order of locks.
  SELECT FROM registry_publicationhead WHERE id = 1 FOR UPDATE;
  UPDATE registry_registrystate SET version = version + 1, changed_at = clock_timestamp()
$$;

-- The text a log row is hashed over: everything the row says, in one fixed order, one line a field. Without a search
-- path of its own PostgreSQL can inline it; all it calls is in pg_catalog.
CREATE OR REPLACE FUNCTION publication_digest(
  previous text, sequence bigint, letter text, number integer, revision integer, event text, subject_key text,
  record_date date, bundle text, recorded_at timestamptz, body text) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT encode(sha256(convert_to(
    previous || E'\n' || sequence || E'\n' || letter || '-' || number || '/' || revision || E'\n' || event || E'\n'
    || subject_key || E'\n' || to_char(record_date, 'YYYY-MM-DD') || E'\n' || bundle || E'\n'
    || to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || E'\n' || body, 'UTF8')), 'hex')
$$;
