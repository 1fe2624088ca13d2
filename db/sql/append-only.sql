-- Append-only tables, and final outcomes.

-- Rejects changes of append-only tables. Exceptions are rows that a purge has marked: answers and versions without a reference that a sweep has
-- listed, the details of an ad that is gone, and the history of a removed schedule.
CREATE OR REPLACE FUNCTION nightshift.reject_change() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND TG_LEVEL = 'ROW' THEN
    IF TG_TABLE_NAME = 'answers' THEN
      IF EXISTS (SELECT FROM nightshift.swept_answers s WHERE s.answer_id = OLD.id) THEN RETURN OLD; END IF;
    ELSIF TG_TABLE_NAME = 'answer_advertisers' THEN
      IF EXISTS (SELECT FROM nightshift.swept_answers s WHERE s.answer_id = OLD.answer_id) THEN RETURN OLD; END IF;
    ELSIF TG_TABLE_NAME = 'ad_versions' THEN
      IF EXISTS (SELECT FROM nightshift.swept_versions s WHERE s.version_id = OLD.id) THEN RETURN OLD; END IF;
    ELSIF TG_TABLE_NAME = 'ad_variants' THEN
      IF EXISTS (SELECT FROM nightshift.swept_versions s WHERE s.version_id = OLD.version_id) THEN RETURN OLD; END IF;
    ELSIF TG_TABLE_NAME = 'ad_details' THEN
      IF NOT EXISTS (SELECT FROM nightshift.ads a WHERE a.id = OLD.ad_id) THEN RETURN OLD; END IF;
    ELSIF TG_TABLE_NAME IN ('scan_companies', 'ad_changes') THEN
      IF EXISTS (SELECT FROM nightshift.schedules s WHERE s.id = OLD.schedule_id AND s.purged_at IS NOT NULL) THEN RETURN OLD; END IF;
    END IF;
  ELSIF TG_OP = 'UPDATE' AND TG_TABLE_NAME = 'events' THEN
    IF OLD.purged_at IS NULL AND NEW.purged_at IS NOT NULL AND NEW.payload = '{}'
      AND to_jsonb(OLD) - '{payload,purged_at}'::text[] = to_jsonb(NEW) - '{payload,purged_at}'::text[] THEN RETURN NEW; END IF;
  END IF;
  RAISE EXCEPTION '% on %.% rejected: the table is append-only', TG_OP, TG_TABLE_SCHEMA, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege';
END $$;

-- ENABLE ALWAYS: the triggers fire for replication roles, too.
DO $$
DECLARE
  v_table text;
BEGIN
  FOREACH v_table IN ARRAY ARRAY['ledger_blocks', 'prices', 'ad_versions', 'ad_variants', 'answers',
    'answer_advertisers', 'ad_details', 'removed_ads', 'audit_log', 'scan_companies', 'ad_changes'] LOOP
    EXECUTE format('CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE ON nightshift.%I
      FOR EACH ROW EXECUTE FUNCTION nightshift.reject_change()', v_table);
    EXECUTE format('CREATE OR REPLACE TRIGGER append_only_truncate BEFORE TRUNCATE ON nightshift.%I
      FOR EACH STATEMENT EXECUTE FUNCTION nightshift.reject_change()', v_table);
    EXECUTE format('ALTER TABLE nightshift.%I ENABLE ALWAYS TRIGGER append_only, ENABLE ALWAYS TRIGGER append_only_truncate', v_table);
  END LOOP;
END $$;

-- An outcome, once set, never changes (docs/architecture/concepts.md).
CREATE OR REPLACE FUNCTION nightshift.reject_second_outcome() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'Lookup % has the outcome %: an outcome never changes.', OLD.id, OLD.outcome
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE OR REPLACE TRIGGER outcome_is_final BEFORE UPDATE ON nightshift.lookups
  FOR EACH ROW WHEN (OLD.outcome IS NOT NULL AND NOT nightshift.is_erasing(OLD, NEW))
  EXECUTE FUNCTION nightshift.reject_second_outcome();
ALTER TABLE nightshift.lookups ENABLE ALWAYS TRIGGER outcome_is_final;

GRANT EXECUTE ON FUNCTION nightshift.reject_change,
  nightshift.reject_second_outcome
  TO nightshift_app;
