-- An organisation and all it belongs to. UNION ends a circle of parents.
CREATE OR REPLACE FUNCTION organisation_and_parents(organisation bigint) RETURNS SETOF bigint
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH RECURSIVE up(id) AS (
    SELECT organisation UNION SELECT parent_id FROM sources_organisation JOIN up USING (id) WHERE parent_id IS NOT NULL)
  SELECT id FROM up
$$;

-- Independent means: shares no parent, at whatever distance, with the claim's asserter or the subject's maker.
CREATE OR REPLACE FUNCTION rule_reproduction_independent() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  performer sources_organisation%ROWTYPE;
  claim_is_known boolean;
  first integer;
BEGIN
  IF NEW.revision > 1 THEN
    SELECT claim_number INTO first FROM registry_reproduction WHERE lineage = NEW.lineage AND revision = 1;
    IF first <> NEW.claim_number THEN
      PERFORM refuse('revision_keeps_subject',
        format('%s is about C-%s and cannot become one about C-%s.',
               registry_reproduction_name(NEW.number, NEW.revision, NEW.id), first, NEW.claim_number),
        'Withdraw it and make a new reproduction of the other claim.');
    END IF;
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.status IN ('superseded', 'withdrawn') THEN
    RETURN NEW;
  END IF;
  claim_is_known := EXISTS (SELECT FROM registry_claim WHERE number = NEW.claim_number
                            AND status IN ('published', 'superseded', 'withdrawn'));
  IF NOT claim_is_known THEN
    PERFORM refuse('reproduction_of_known_claim',
      format('There is no published claim C-%s to reproduce.', NEW.claim_number),
      'Give the number of a published claim.');
  END IF;
  SELECT * INTO performer FROM sources_organisation WHERE id = NEW.performer_id;
  IF EXISTS (
    SELECT FROM registry_claim claim
    JOIN registry_subject subject ON subject.id = claim.subject_id
    CROSS JOIN LATERAL (SELECT organisation_and_parents(claim.asserter_id)
                        UNION SELECT organisation_and_parents(subject.maker_id)) involved(id)
    WHERE claim.number = NEW.claim_number AND involved.id IN (SELECT organisation_and_parents(performer.id))) THEN
    PERFORM refuse('reproduction_independent',
      format('%s cannot reproduce C-%s: it made the subject or the claim, or belongs to who did.',
             performer.name, NEW.claim_number),
      'Only a party of its own can reproduce a figure; enter this one as another claim.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_independent BEFORE INSERT OR UPDATE ON registry_reproduction FOR EACH ROW
  EXECUTE FUNCTION rule_reproduction_independent();

-- What reproductions say, as registry_claim_said has it of claims.
CREATE OR REPLACE FUNCTION registry_reproduction_said(ids uuid[])
RETURNS TABLE (id uuid, subject_key text, body text)
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  SELECT reproduction.id, tried.subject_key, '1 ' || jsonb_build_object(
    'reproduction', 'R-' || reproduction.number || '/' || reproduction.revision,
    'record_date', reproduction.record_date,
    'change', reproduction.change_kind,
    'change_note', reproduction.change_note,
    'self_reviewed', reproduction.self_reviewed,
    'end_note', reproduction.end_note,
    'claim', 'C-' || reproduction.claim_number,
    'performer', performer.key,
    'outcome', reproduction.outcome,
    'text', reproduction.text, 'measured', reproduction.measured::text, 'tolerance', reproduction.tolerance,
    'conditions', reproduction.conditions,
    'citations', cited.list)::text
  FROM registry_reproduction reproduction
  JOIN sources_organisation performer ON performer.id = reproduction.performer_id
  -- A claim keeps its subject, so any revision will do.
  LEFT JOIN LATERAL (
    SELECT subject.key AS subject_key FROM registry_claim claim JOIN registry_subject subject ON subject.id = claim.subject_id
    WHERE claim.number = reproduction.claim_number AND claim.revision = 1) tried ON true
  LEFT JOIN (
    SELECT citation.entry_id, jsonb_agg(jsonb_build_array(source.key, passage.locator, passage.quotation, citation.stance)
                                        ORDER BY citation.position, citation.id) AS list
    FROM registry_reproductioncitation citation
    JOIN sources_passage passage ON passage.id = citation.passage_id
    JOIN sources_source source ON source.id = passage.source_id
    WHERE citation.entry_id = ANY (ids) GROUP BY citation.entry_id) cited ON cited.entry_id = reproduction.id
  WHERE reproduction.id = ANY (ids)
$$;
