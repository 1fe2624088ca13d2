-- Invalidation of search indexes, facets, orders of rows and charts.

-- Deletes the search blocks of changed rows, and the facets and orders of their batches: a retry links rows to other lookups, a purge deletes them, and an erasure edits them. Builders of
-- search blocks hold the same lock, shared, so that none of them builds one from old rows meanwhile.
CREATE OR REPLACE FUNCTION nightshift.drop_blocks() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM changed) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock(7303121);
  DELETE FROM search_blocks b USING changed c WHERE b.batch_id = c.batch_id AND b.block_no = c.block_no;
  DELETE FROM batch_facets f WHERE f.batch_id IN (SELECT c.batch_id FROM changed c);
  DELETE FROM row_orders o WHERE o.batch_id IN (SELECT c.batch_id FROM changed c);
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER blocks_follow_updates AFTER UPDATE ON nightshift.row_blocks REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION nightshift.drop_blocks();
ALTER TABLE nightshift.row_blocks ENABLE ALWAYS TRIGGER blocks_follow_updates;

CREATE OR REPLACE TRIGGER blocks_follow_deletes AFTER DELETE ON nightshift.row_blocks REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION nightshift.drop_blocks();
ALTER TABLE nightshift.row_blocks ENABLE ALWAYS TRIGGER blocks_follow_deletes;

-- Deletes the figures of a batch or schedule when its purge begins: they name companies. A count that runs meanwhile finds the mark and stores
-- nothing (`db/stores/reports/figures.ts`).
CREATE OR REPLACE FUNCTION nightshift.drop_figures() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'batches' THEN
    DELETE FROM figures WHERE batch_id = NEW.id;
  ELSE
    DELETE FROM figures WHERE schedule_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER figures_follow_purge AFTER UPDATE OF purged_at ON nightshift.batches
  FOR EACH ROW WHEN (NEW.purged_at IS NOT NULL) EXECUTE FUNCTION nightshift.drop_figures();

CREATE OR REPLACE TRIGGER figures_follow_purge AFTER UPDATE OF purged_at ON nightshift.schedules
  FOR EACH ROW WHEN (NEW.purged_at IS NOT NULL) EXECUTE FUNCTION nightshift.drop_figures();
