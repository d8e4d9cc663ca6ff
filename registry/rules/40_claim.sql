-- A claim's kind comes from its property; composite keys then hold subject and property to it. What C-1042 is about
-- stays the same in every revision, so that its address never leads to another subject's page.
CREATE OR REPLACE FUNCTION rule_claim_kind() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
  first bigint;
BEGIN
  IF NEW.revision > 1 THEN
    SELECT subject_id INTO first FROM registry_claim WHERE lineage = NEW.lineage AND revision = 1;
    IF first <> NEW.subject_id THEN
      PERFORM refuse('revision_keeps_subject',
        format('%s is about %s and cannot become one about %s.', registry_claim_name(NEW.number, NEW.revision, NEW.id),
               (SELECT key FROM registry_subject WHERE id = first),
               (SELECT key FROM registry_subject WHERE id = NEW.subject_id)),
        'Withdraw it and make a new claim about the other subject.');
    END IF;
  END IF;
  SELECT subject_kind INTO NEW.subject_kind FROM registry_property WHERE id = NEW.property_id;
  NEW.subject_kind := coalesce(NEW.subject_kind, '');
  RETURN NEW;
END $$;
CREATE TRIGGER rule_a_kind BEFORE INSERT OR UPDATE OF property_id, subject_id, subject_kind ON registry_claim
  FOR EACH ROW EXECUTE FUNCTION rule_claim_kind();

-- What claims say, in permanent keys only and numbers as text, and of which subject's pages they are part.
-- Format 1; a new column starts a new format. For many at once: the log asks for all that one statement published.
CREATE OR REPLACE FUNCTION registry_claim_said(ids uuid[])
RETURNS TABLE (id uuid, subject_key text, body text)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT claim.id, subject.key, '1 ' || jsonb_build_object(
    'claim', 'C-' || claim.number || '/' || claim.revision,
    'record_date', claim.record_date,
    'change', claim.change_kind,
    'change_note', claim.change_note,
    'self_reviewed', claim.self_reviewed,
    'end_note', claim.end_note,
    'subject', subject.key,
    'property', property.key,
    'asserter', asserter.key,
    'value_kind', claim.value_kind,
    'text', claim.text,
    'value', claim.value::text, 'low', claim.low::text, 'high', claim.high::text, 'bound', claim.bound,
    'conditions', claim.conditions, 'boundary', claim.boundary, 'derivation', claim.derivation, 'note', claim.note,
    'citations', cited.list,
    'contexts', contexts.list)::text
  FROM registry_claim claim
  JOIN registry_subject subject ON subject.id = claim.subject_id
  JOIN registry_property property ON property.id = claim.property_id
  JOIN sources_organisation asserter ON asserter.id = claim.asserter_id
  LEFT JOIN (
    SELECT citation.entry_id, jsonb_agg(jsonb_build_array(source.key, passage.locator, passage.quotation, citation.stance)
                                        ORDER BY citation.position, citation.id) AS list
    FROM registry_claimcitation citation
    JOIN sources_passage passage ON passage.id = citation.passage_id
    JOIN sources_source source ON source.id = passage.source_id
    WHERE citation.entry_id = ANY (ids) GROUP BY citation.entry_id) cited ON cited.entry_id = claim.id
  LEFT JOIN (
    SELECT context.entry_id, jsonb_agg(jsonb_build_array(subject.key, context.role) ORDER BY context.role, context.id) AS list
    FROM registry_claimcontext context JOIN registry_subject subject ON subject.id = context.subject_id
    WHERE context.entry_id = ANY (ids) GROUP BY context.entry_id) contexts ON contexts.entry_id = claim.id
  WHERE claim.id = ANY (ids)
$$;
