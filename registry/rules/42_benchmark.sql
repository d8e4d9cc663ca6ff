-- A workload is what it says: its identity is computed here, from every column that says something, and rows never change.
CREATE OR REPLACE FUNCTION workload_spec_hash(workload registry_workload) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  -- Numbers as text without trailing zeros: 128 and 128.0 are one length.
  SELECT encode(sha256(convert_to((to_jsonb(workload) - ARRAY['id', 'spec_hash', 'input_tokens', 'output_tokens', 'request_rate']
    || jsonb_build_object('input_tokens', trim_scale(workload.input_tokens)::text,
                          'output_tokens', trim_scale(workload.output_tokens)::text,
                          'request_rate', trim_scale(workload.request_rate)::text))::text, 'UTF8')), 'hex')
$$;
CREATE OR REPLACE FUNCTION rule_workload_identity() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  NEW.spec_hash := workload_spec_hash(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER rule_identity BEFORE INSERT ON registry_workload FOR EACH ROW EXECUTE FUNCTION rule_workload_identity();
CREATE TRIGGER rule_append_only BEFORE UPDATE OR DELETE ON registry_workload FOR EACH ROW
  EXECUTE FUNCTION rule_append_only();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_workload EXECUTE FUNCTION rule_no_truncate();

-- A file is known by its hash, so what is said of it stays.
CREATE TRIGGER rule_append_only BEFORE UPDATE OR DELETE ON registry_artifact FOR EACH ROW
  EXECUTE FUNCTION rule_append_only();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_artifact EXECUTE FUNCTION rule_no_truncate();

-- A metric's key means one formula for ever: published measurements rest on it.
CREATE OR REPLACE FUNCTION rule_metric_permanent() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' OR (NEW.key, NEW.formula, NEW.unit, NEW.clock, NEW.per, NEW.per_accelerator)
     IS DISTINCT FROM (OLD.key, OLD.formula, OLD.unit, OLD.clock, OLD.per, OLD.per_accelerator) THEN
    PERFORM refuse('metric_permanent', format('The metric %s keeps its formula, unit and clock.', OLD.key),
      'Give the new definition a key of its own.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_permanent BEFORE UPDATE OR DELETE ON registry_metric FOR EACH ROW
  EXECUTE FUNCTION rule_metric_permanent();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON registry_metric EXECUTE FUNCTION rule_no_truncate();

-- What was measured stays the same in every revision, and a record is published with what it measured.
CREATE OR REPLACE FUNCTION rule_benchmark_record() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  first bigint;
BEGIN
  IF NEW.revision > 1 THEN
    SELECT hardware_id INTO first FROM registry_benchmarkrecord WHERE lineage = NEW.lineage AND revision = 1;
    IF first <> NEW.hardware_id THEN
      PERFORM refuse('revision_keeps_subject',
        format('%s is about %s and cannot become one about %s.',
               registry_benchmarkrecord_name(NEW.number, NEW.revision, NEW.id),
               (SELECT key FROM registry_subject WHERE id = first),
               (SELECT key FROM registry_subject WHERE id = NEW.hardware_id)),
        'Withdraw it and make a new record about the other hardware.');
    END IF;
  END IF;
  IF EXISTS (SELECT FROM registry_subject subject
             WHERE (subject.id = NEW.hardware_id AND subject.kind <> 'gpu')
                OR (subject.id = NEW.checkpoint_id AND subject.kind <> 'checkpoint')
                OR (subject.id = NEW.runtime_id AND subject.kind <> 'runtime')) THEN
    PERFORM refuse('benchmark_subject_of_kind',
      format('%s names a subject in a role it cannot have.', registry_benchmarkrecord_name(NEW.number, NEW.revision, NEW.id)),
      'The hardware is a GPU, the checkpoint a checkpoint, the runtime a runtime.');
  END IF;
  IF NEW.status = 'submitted' AND NOT EXISTS (SELECT FROM registry_measurement WHERE entry_id = NEW.id) THEN
    PERFORM refuse('benchmark_measures_something',
      format('%s gives no measurement.', registry_benchmarkrecord_name(NEW.number, NEW.revision, NEW.id)),
      'Import it from its result file, which brings the measurements.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_record BEFORE INSERT OR UPDATE ON registry_benchmarkrecord FOR EACH ROW
  EXECUTE FUNCTION rule_benchmark_record();

-- What records say, as registry_claim_said has it of claims. Part of the pages of their hardware.
CREATE OR REPLACE FUNCTION registry_benchmarkrecord_said(ids uuid[])
RETURNS TABLE (id uuid, subject_key text, body text)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT record.id, hardware.key, '1 ' || (jsonb_build_object(
    'benchmark_record', 'B-' || record.number || '/' || record.revision,
    'record_date', record.record_date,
    'change', record.change_kind,
    'change_note', record.change_note,
    'self_reviewed', record.self_reviewed,
    'end_note', record.end_note,
    'hardware', hardware.key, 'accelerators', record.accelerators, 'nodes', record.nodes,
    'interconnect', record.interconnect, 'system', record.system,
    'checkpoint', checkpoint.key, 'model_as_stated', record.model_as_stated, 'model_revision', record.model_revision,
    'precision', record.precision,
    'runtime', runtime.key, 'runtime_as_stated', record.runtime_as_stated, 'runtime_version', record.runtime_version,
    'flags', record.flags,
    'workload', workload.spec_hash, 'boundary', record.boundary,
    'submitter', submitter.key, 'performed_by', performer.key, 'measured_on', record.measured_on,
    'tool', record.tool, 'tool_version', record.tool_version)
  || jsonb_build_object(
    'suite', record.suite, 'suite_round', record.suite_round, 'division', record.division, 'category', record.category,
    'availability', record.availability, 'scenario', record.scenario, 'result_id', record.result_id,
    'verification', record.verification,
    'requests_attempted', record.requests_attempted, 'requests_ok', record.requests_ok,
    'requests_failed', record.requests_failed, 'requests_incomplete', record.requests_incomplete,
    'input_tokens', record.input_tokens::text, 'output_tokens', record.output_tokens::text,
    'power_boundary', record.power_boundary, 'run', record.run, 'artifact', record.artifact_id,
    'further', record.further, 'quirks', record.quirks, 'note', record.note,
    'measurements', measured.list, 'citations', cited.list))::text
  FROM registry_benchmarkrecord record
  JOIN registry_subject hardware ON hardware.id = record.hardware_id
  LEFT JOIN registry_subject checkpoint ON checkpoint.id = record.checkpoint_id
  LEFT JOIN registry_subject runtime ON runtime.id = record.runtime_id
  JOIN registry_workload workload ON workload.id = record.workload_id
  JOIN sources_organisation submitter ON submitter.id = record.submitter_id
  LEFT JOIN sources_organisation performer ON performer.id = record.performed_by_id
  LEFT JOIN (
    SELECT entry_id, jsonb_agg(jsonb_build_array(metric_id, statistic, value::text, text, "values", divisor)
                               ORDER BY position, id) AS list
    FROM registry_measurement WHERE entry_id = ANY (ids) GROUP BY entry_id) measured ON measured.entry_id = record.id
  LEFT JOIN (
    SELECT citation.entry_id, jsonb_agg(jsonb_build_array(source.key, passage.locator, passage.quotation, citation.stance)
                                        ORDER BY citation.position, citation.id) AS list
    FROM registry_benchmarkcitation citation
    JOIN sources_passage passage ON passage.id = citation.passage_id
    JOIN sources_source source ON source.id = passage.source_id
    WHERE citation.entry_id = ANY (ids) GROUP BY citation.entry_id) cited ON cited.entry_id = record.id
  WHERE record.id = ANY (ids)
$$;
