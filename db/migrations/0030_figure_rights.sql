-- Figures are a copy: whoever counts writes them, and throws them away.
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.figures TO nightshift_app;
--> statement-breakpoint

-- They name companies, so they go as soon as a purge has begun with what they are about. Whoever counts meanwhile finds it marked, and
-- keeps nothing (`db/stores/reports/figures.ts`).
CREATE FUNCTION nightshift.drop_figures() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  IF TG_TABLE_NAME = 'batches' THEN
    DELETE FROM figures WHERE batch_id = NEW.id;
  ELSE
    DELETE FROM figures WHERE schedule_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.drop_figures() FROM PUBLIC;
--> statement-breakpoint
CREATE TRIGGER figures_go AFTER UPDATE OF purged_at ON nightshift.batches
  FOR EACH ROW WHEN (NEW.purged_at IS NOT NULL) EXECUTE FUNCTION nightshift.drop_figures();
--> statement-breakpoint
CREATE TRIGGER figures_go AFTER UPDATE OF purged_at ON nightshift.schedules
  FOR EACH ROW WHEN (NEW.purged_at IS NOT NULL) EXECUTE FUNCTION nightshift.drop_figures();
--> statement-breakpoint

-- When the lookups ended that each chunk counts, of those that are there by now. A chunk whose open lookups went on to smaller ones counts
-- what had ended before the first of these was made, and each of these what ended after that.
UPDATE nightshift.chunks c SET first_ended_at = t.first_ended_at, last_ended_at = t.last_ended_at
FROM (
  SELECT c.id, min(l.ended_at) AS first_ended_at, max(l.ended_at) AS last_ended_at
  FROM nightshift.chunks c
  JOIN nightshift.lookups l ON l.id BETWEEN c.first_lookup_id AND c.last_lookup_id AND l.operation = c.operation
    AND l.batch_id IS NOT DISTINCT FROM c.batch_id
  WHERE c.found + c.none + c.no_match + c.valid + c.invalid + c.catch_all + c.unknown + c.failed + c.cancelled > 0
    AND l.ended_at > coalesce(c.split_at, '-infinity')
    AND (c.moved_on = 0 OR l.ended_at <= (
      SELECT min(p.split_at) FROM nightshift.chunks p
      WHERE p.batch_id = c.batch_id AND p.operation = c.operation AND p.id > c.id AND p.split_at IS NOT NULL
        AND p.first_lookup_id BETWEEN c.first_lookup_id AND c.last_lookup_id))
  GROUP BY c.id
) t
WHERE t.id = c.id;
