-- What searches of results are quick by. Copies of what the record says: the application writes them, and triggers take them away again.
GRANT SELECT, INSERT ON nightshift.sightings, nightshift.row_blocks TO nightshift_app;
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON nightshift.batch_facets TO nightshift_app;
--> statement-breakpoint

-- Read whole again and again, and searched through: not compressed.
ALTER TABLE nightshift.row_blocks ALTER COLUMN row_text SET STORAGE EXTERNAL, ALTER COLUMN ad_text SET STORAGE EXTERNAL;
--> statement-breakpoint

-- A block goes with the first of its rows that changes: a retry points them at other lookups, a purge takes them away, and a person is
-- forgotten in them. Whoever makes blocks holds the same lock, shared: no block is made meanwhile of what the rows were before.
CREATE FUNCTION nightshift.drop_blocks() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM changed) THEN RETURN NULL; END IF;
  PERFORM pg_advisory_xact_lock(7303121);
  DELETE FROM row_blocks b USING (SELECT DISTINCT c.batch_id, (c.row_no - 1) / 32 AS block_no FROM changed c) c
    WHERE b.batch_id = c.batch_id AND b.block_no = c.block_no;
  DELETE FROM batch_facets f WHERE f.batch_id IN (SELECT c.batch_id FROM changed c);
  RETURN NULL;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.drop_blocks() FROM PUBLIC;
--> statement-breakpoint
CREATE TRIGGER blocks_go_with_changes AFTER UPDATE ON nightshift.batch_rows REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION nightshift.drop_blocks();
--> statement-breakpoint
CREATE TRIGGER blocks_go_with_rows AFTER DELETE ON nightshift.batch_rows REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION nightshift.drop_blocks();
--> statement-breakpoint
ALTER TABLE nightshift.batch_rows ENABLE ALWAYS TRIGGER blocks_go_with_changes, ENABLE ALWAYS TRIGGER blocks_go_with_rows;
--> statement-breakpoint

-- A lookup that is made bare has seen nothing any more.
CREATE FUNCTION nightshift.drop_sightings() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = nightshift, pg_temp AS $$
BEGIN
  DELETE FROM sightings WHERE lookup_id = NEW.id;
  RETURN NULL;
END $$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION nightshift.drop_sightings() FROM PUBLIC;
--> statement-breakpoint
CREATE TRIGGER sightings_go AFTER UPDATE OF purged_at ON nightshift.lookups
  FOR EACH ROW WHEN (NEW.purged_at IS NOT NULL) EXECUTE FUNCTION nightshift.drop_sightings();
--> statement-breakpoint
ALTER TABLE nightshift.lookups ENABLE ALWAYS TRIGGER sightings_go;
--> statement-breakpoint

-- Of what was found before there were sightings.
INSERT INTO nightshift.sightings (lookup_id, subject, account_id)
SELECT DISTINCT la.lookup_id, coalesce(i.advertiser_id, encode(i.text_hash, 'hex')), l.account_id
FROM nightshift.lookup_ads la
JOIN nightshift.lookups l ON l.id = la.lookup_id
JOIN nightshift.ad_versions v ON v.id = la.version_id
JOIN nightshift.ads i ON i.id = v.ad_id;
