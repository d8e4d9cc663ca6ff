-- The life of an entry, the same for every kind. Rendered once a table:
--   @entry@     the table, e.g. registry_claim        @citation@  its citations' table
--   @letter@    C of C-1042                           @noun@      the word people use
--   @generated@ gives generated columns their old value: they are empty in a BEFORE trigger

-- What people call a row: "C-1042/2", or "The draft 3fa85f64" before it has a number.
CREATE OR REPLACE FUNCTION @entry@_name(number integer, revision integer, id uuid) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce('@letter@-' || number || '/' || revision, 'The draft ' || left(id::text, 8))
$$;

CREATE OR REPLACE FUNCTION rule_@entry@_born_draft() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  last @entry@%ROWTYPE;
  loading boolean := coalesce(current_setting('registry.bundle', true), '') <> '';
BEGIN
  IF NEW.status <> 'draft' OR NEW.published_at IS NOT NULL OR NEW.ended_at IS NOT NULL OR NEW.bundle <> '' THEN
    PERFORM refuse('entry_born_draft',
      format('A @noun@ is born a draft, not %s.', NEW.status),
      'Insert it as a draft, cite its source, submit it, and let a second person publish it.');
  END IF;
  IF coalesce(NEW.revision, 1) = 1 THEN
    IF NEW.number IS NOT NULL AND NOT loading THEN
      PERFORM refuse('entry_born_draft',
        format('The number %s cannot be chosen: it is given at first publication.', NEW.number),
        'Leave the number empty.');
    END IF;
    IF NEW.number NOT BETWEEN 1 AND 99999999 THEN
      PERFORM refuse('entry_born_draft',
        format('%s is no number for a @noun@.', NEW.number),
        'Bundles carry numbers from 1 to 99999999; leave the number empty to get the next one.');
    END IF;
    RETURN NEW;
  END IF;
  SELECT * INTO last FROM @entry@ WHERE lineage = NEW.lineage AND revision = NEW.revision - 1;
  IF NOT FOUND OR last.status IN ('draft', 'submitted') OR last.number IS DISTINCT FROM NEW.number THEN
    PERFORM refuse('entry_born_draft',
      format('Revision %s of this @noun@ does not follow a published revision of the same number.', NEW.revision),
      'Correct the published @noun@: that makes the next revision.');
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_born_draft BEFORE INSERT ON @entry@ FOR EACH ROW
  EXECUTE FUNCTION rule_@entry@_born_draft();

-- Runs as the owner because a publication locks the log's head, which the web role may only read.
CREATE OR REPLACE FUNCTION rule_@entry@_step() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  compared @entry@%ROWTYPE := NEW;
  today date := (now() AT TIME ZONE 'UTC')::date;
  loading text := coalesce(current_setting('registry.bundle', true), '');
  last @entry@%ROWTYPE;
  cited integer;
  attributed integer;
BEGIN
  IF (NEW.id, NEW.lineage, NEW.revision, NEW.created_at, NEW.created_by_id)
     IS DISTINCT FROM (OLD.id, OLD.lineage, OLD.revision, OLD.created_at, OLD.created_by_id) THEN
    PERFORM refuse('key_is_permanent', format('%s keeps its identity, author and revision.', @called@),
      'Make a new @noun@, or correct the published one.');
  END IF;

  IF NEW.number IS DISTINCT FROM OLD.number THEN
    PERFORM refuse('key_is_permanent', format('%s does not choose its number %s.', @called@, NEW.number),
      'Leave the number alone: it is given at first publication.');
  END IF;
  IF NEW.status = OLD.status THEN
    IF NEW.status = 'draft' THEN
      RETURN NEW;
    END IF;
    @generated@
    IF compared *<> OLD THEN
      PERFORM refuse('entry_frozen', format('%s is %s and cannot change.', @called@, OLD.status),
        CASE WHEN OLD.status = 'submitted' THEN 'Return it to its author first; then it is a draft again.'
        ELSE 'Correct it: that makes a new revision, and this one stays readable.' END);
    END IF;
    RETURN NEW;
  END IF;

  IF (OLD.status, NEW.status) NOT IN (('draft', 'submitted'), ('submitted', 'draft'), ('submitted', 'published'),
      ('published', 'superseded'), ('published', 'withdrawn'))
     -- Superseded only by the publication of the next revision, below: the head of the log is the owner's to write.
     OR (NEW.status = 'superseded'
         AND NOT EXISTS (SELECT FROM registry_publicationhead WHERE superseding = OLD.id)) THEN
    PERFORM refuse('entry_transition', format('%s cannot go from %s to %s.', @called@, OLD.status, NEW.status),
      CASE OLD.status WHEN 'draft' THEN 'Submit it for review first.'
        WHEN 'submitted' THEN 'Publish it or return it to its author.'
        WHEN 'published' THEN 'Publish its next revision, or withdraw it with a reason.'
        ELSE 'What ended stays ended: make a new revision.' END);
  END IF;
  -- The lifecycle columns move; all else is content. Compared byte by byte: 3.350 is not 3.35.
  @generated@
  compared.status := OLD.status; compared.record_date := OLD.record_date; compared.edited_at := OLD.edited_at;
  compared.submitted_at := OLD.submitted_at; compared.submitted_by_id := OLD.submitted_by_id;
  compared.submit_note := OLD.submit_note; compared.returned_reason := OLD.returned_reason;
  compared.published_at := OLD.published_at; compared.published_by_id := OLD.published_by_id;
  compared.self_reviewed := OLD.self_reviewed; compared.bundle := OLD.bundle;
  compared.ended_at := OLD.ended_at; compared.ended_on := OLD.ended_on; compared.ended_by_id := OLD.ended_by_id;
  compared.end_note := OLD.end_note;
  IF compared *<> OLD THEN
    PERFORM refuse('entry_frozen', format('%s cannot change its content and its status in one step.', @called@),
      'Save the draft first, then take the step.');
  END IF;
  CASE NEW.status
  WHEN 'submitted', 'draft' THEN
    IF NEW.published_by_id IS NOT NULL OR NEW.bundle <> '' THEN
      PERFORM refuse('entry_transition', format('%s is not published yet.', @called@), 'Publish it first.');
    END IF;
    IF NEW.status = 'draft' AND NEW.returned_reason !~ '[[:alnum:]]' THEN
      PERFORM refuse('entry_transition', format('%s cannot be returned to its author without a reason.', @called@),
        'Say what has to change before it can be published.');
    END IF;
    IF NEW.status = 'submitted' THEN
      NEW.submitted_at := clock_timestamp();
    END IF;
  WHEN 'withdrawn', 'superseded' THEN
    IF (NEW.record_date, NEW.published_at, NEW.published_by_id, NEW.self_reviewed, NEW.bundle, NEW.submitted_at,
        NEW.submitted_by_id, NEW.submit_note, NEW.returned_reason, NEW.edited_at)
       IS DISTINCT FROM (OLD.record_date, OLD.published_at, OLD.published_by_id, OLD.self_reviewed, OLD.bundle,
        OLD.submitted_at, OLD.submitted_by_id, OLD.submit_note, OLD.returned_reason, OLD.edited_at) THEN
      PERFORM refuse('entry_frozen', format('%s keeps its record of publication.', @called@),
        'Change the status alone, with the reason.');
    END IF;
    NEW.ended_at := clock_timestamp();
    IF NEW.status = 'withdrawn' AND (loading = '' OR NEW.ended_on IS NULL) THEN
      NEW.ended_on := today;
    END IF;
    IF NEW.ended_on > today THEN
      PERFORM refuse('record_date_in_order', format('%s cannot end on %s: that day has not come yet.',
        @called@, NEW.ended_on), 'Give a date that is not after today.');
    END IF;
  WHEN 'published' THEN
    IF current_setting('transaction_isolation') <> 'read committed' THEN
      PERFORM refuse('publish_in_read_committed',
        format('%s cannot be published in a %s transaction: it could miss a citation taken away meanwhile.',
               @called@, current_setting('transaction_isolation')),
        'Publish in a read committed transaction.');
    END IF;
    IF (NEW.submitted_at, NEW.submitted_by_id, NEW.submit_note, NEW.returned_reason, NEW.edited_at)
       IS DISTINCT FROM (OLD.submitted_at, OLD.submitted_by_id, OLD.submit_note, OLD.returned_reason, OLD.edited_at) THEN
      PERFORM refuse('entry_frozen', format('%s keeps its record of submission.', @called@),
        'Change the status alone, with the person who publishes.');
    END IF;
    NEW.bundle := loading;
    NEW.published_at := clock_timestamp();
    NEW.ended_by_id := NULL;
    NEW.end_note := '';
    IF loading = '' OR NEW.record_date IS NULL THEN
      NEW.record_date := today;
    END IF;
    IF NEW.record_date > today THEN
      PERFORM refuse('record_date_in_order', format('%s cannot be recorded on %s: that day has not come yet.',
        @called@, NEW.record_date), 'Give a record date that is not after today.');
    END IF;

    IF NEW.revision > 1 THEN
      SELECT * INTO last FROM @entry@ WHERE lineage = NEW.lineage AND revision = NEW.revision - 1 FOR UPDATE;
    END IF;
    IF NEW.record_date < greatest(last.record_date, last.ended_on) THEN
      PERFORM refuse('record_date_in_order', format('%s cannot be recorded on %s, before the revision it follows (%s).',
        @called@, NEW.record_date, greatest(last.record_date, last.ended_on)), 'Give a later record date.');
    END IF;

    IF NOT EXISTS (
      SELECT FROM @citation@ citation
      JOIN sources_passage passage ON passage.id = citation.passage_id
      JOIN sources_source source ON source.id = passage.source_id
      JOIN sources_organisation publisher ON publisher.id = source.publisher_id
      JOIN sources_verification verification ON verification.source_id = source.id
      WHERE citation.entry_id = NEW.id AND citation.stance = 'supports' AND publisher.name ~ '[[:alnum:]]'
        AND verification.outcome = 'confirmed' AND verification.verified_on <= NEW.record_date) THEN
      SELECT count(DISTINCT source.id), count(DISTINCT source.id) FILTER (WHERE source.publisher_id IS NOT NULL)
        INTO cited, attributed
        FROM @citation@ citation
        JOIN sources_passage passage ON passage.id = citation.passage_id
        JOIN sources_source source ON source.id = passage.source_id
        WHERE citation.entry_id = NEW.id AND citation.stance = 'supports';
      PERFORM refuse('entry_needs_attributed_source',
        CASE WHEN cited = 0 THEN format('%s cannot be published: it cites no source that supports it.', @called@)
          WHEN attributed = 0 THEN format('%s cannot be published: none of its %s sources names a publisher.', @called@, cited)
          WHEN cited = 1 THEN format('%s cannot be published: its source has not been verified by %s.', @called@, NEW.record_date)
          ELSE format('%s cannot be published: none of its %s sources has been verified by %s.', @called@, cited, NEW.record_date) END,
        CASE WHEN cited = 0 THEN 'Cite the passage of the source that says it.'
          WHEN attributed = 0 THEN 'Open a source and name the organisation that published it.'
          ELSE 'Open a source, confirm the passage, record the verification.' END);
    END IF;

    IF last.status = 'published' THEN
      UPDATE registry_publicationhead SET superseding = last.id WHERE id = 1;
      UPDATE @entry@ SET status = 'superseded', ended_on = NEW.record_date, ended_by_id = NEW.published_by_id
        WHERE id = last.id;
      UPDATE registry_publicationhead SET superseding = NULL WHERE id = 1;
    END IF;
    IF NEW.number IS NULL THEN
      PERFORM FROM registry_publicationhead WHERE id = 1 FOR UPDATE;
      SELECT coalesce(max(number), 0) + 1 INTO NEW.number FROM @entry@;
    END IF;
  END CASE;
  RETURN NEW;
END $$;
CREATE TRIGGER rule_step BEFORE UPDATE ON @entry@ FOR EACH ROW EXECUTE FUNCTION rule_@entry@_step();

CREATE OR REPLACE FUNCTION rule_@entry@_kept() RETURNS trigger
LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF OLD.status <> 'draft' THEN
    PERFORM refuse('entry_frozen',
      format('%s is %s and cannot be deleted.', @entry@_name(OLD.number, OLD.revision, OLD.id), OLD.status),
      'Withdraw a published @noun@ with a reason; return a submitted one to its author first.');
  END IF;
  RETURN OLD;
END $$;
CREATE TRIGGER rule_kept BEFORE DELETE ON @entry@ FOR EACH ROW EXECUTE FUNCTION rule_@entry@_kept();
CREATE TRIGGER rule_no_truncate BEFORE TRUNCATE ON @entry@ EXECUTE FUNCTION rule_no_truncate();

-- One log row a step that readers can see, in publication order; then readers' pages are new.
CREATE OR REPLACE FUNCTION rule_@entry@_log() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  head registry_publicationhead%ROWTYPE;
  step record;
  digest text;
  recorded timestamptz;
  stepped uuid[] := ARRAY(
    SELECT id FROM after JOIN before USING (id)
    WHERE after.status <> before.status AND after.status IN ('published', 'superseded', 'withdrawn'));
  loading text := coalesce(current_setting('registry.bundle', true), '');
BEGIN
  IF stepped = '{}' THEN
    RETURN NULL;
  END IF;
  SELECT * INTO head FROM registry_publicationhead WHERE id = 1 FOR UPDATE;
  FOR step IN
    SELECT after.number, after.revision, after.status, coalesce(said.subject_key, '') AS subject_key,
           CASE after.status WHEN 'published' THEN after.record_date ELSE after.ended_on END AS record_date, said.body
    FROM after JOIN @entry@_said(stepped) said USING (id)
    ORDER BY after.number, after.revision
  LOOP
    recorded := clock_timestamp();
    digest := publication_digest(head.sha256, head.sequence + 1, '@letter@', step.number, step.revision, step.status,
      step.subject_key, step.record_date, loading, recorded, step.body);
    INSERT INTO registry_publication (sequence, letter, number, revision, event, subject_key, record_date, bundle,
      format_version, text, previous_sha256, sha256, recorded_at)
    VALUES (head.sequence + 1, '@letter@', step.number, step.revision, step.status, step.subject_key, step.record_date,
      loading, 1, step.body, head.sha256, digest, recorded);
    head.sequence := head.sequence + 1;
    head.sha256 := digest;
  END LOOP;
  UPDATE registry_publicationhead SET sequence = head.sequence, sha256 = head.sha256 WHERE id = 1;
  PERFORM raise_registry_state();
  RETURN NULL;
END $$;
CREATE TRIGGER rule_log AFTER UPDATE ON @entry@ REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION rule_@entry@_log();
