-- A claim's kind comes from its property; composite keys then hold subject and property to it.
CREATE OR REPLACE FUNCTION rule_claim_kind() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  SELECT subject_kind INTO NEW.subject_kind FROM registry_property WHERE id = NEW.property_id;
  NEW.subject_kind := coalesce(NEW.subject_kind, '');
  RETURN NEW;
END $$;
CREATE TRIGGER rule_a_kind BEFORE INSERT OR UPDATE OF property_id, subject_id, subject_kind ON registry_claim
  FOR EACH ROW EXECUTE FUNCTION rule_claim_kind();

CREATE OR REPLACE FUNCTION registry_claim_subject_key(claim registry_claim) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT key FROM registry_subject WHERE id = claim.subject_id
$$;

-- What a claim says, in permanent keys only and numbers as text. Format 1; a new column starts a new format.
CREATE OR REPLACE FUNCTION registry_claim_canonical(claim registry_claim) RETURNS text
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT '1 ' || jsonb_build_object(
    'claim', 'C-' || claim.number || '/' || claim.revision,
    'record_date', claim.record_date,
    'change', claim.change_kind,
    'change_note', claim.change_note,
    'self_reviewed', claim.self_reviewed,
    'end_note', claim.end_note,
    'subject', (SELECT key FROM registry_subject WHERE id = claim.subject_id),
    'property', (SELECT key FROM registry_property WHERE id = claim.property_id),
    'asserter', (SELECT key FROM sources_organisation WHERE id = claim.asserter_id),
    'value_kind', claim.value_kind,
    'text', claim.text,
    'value', claim.value::text, 'low', claim.low::text, 'high', claim.high::text, 'bound', claim.bound,
    'conditions', claim.conditions, 'boundary', claim.boundary, 'derivation', claim.derivation, 'note', claim.note,
    'citations', (
      SELECT jsonb_agg(jsonb_build_array(source.key, passage.locator, passage.quotation, citation.stance)
                       ORDER BY citation.position, citation.id)
      FROM registry_claimcitation citation
      JOIN sources_passage passage ON passage.id = citation.passage_id
      JOIN sources_source source ON source.id = passage.source_id
      WHERE citation.entry_id = claim.id),
    'contexts', (
      SELECT jsonb_agg(jsonb_build_array(subject.key, context.role) ORDER BY context.role, context.id)
      FROM registry_claimcontext context JOIN registry_subject subject ON subject.id = context.subject_id
      WHERE context.entry_id = claim.id))::text
$$;
