-- Space of purged records, which a purge gives back to the disk.

-- From Postgres 17 on, the application may vacuum and rebuild the indexes of the tables that a purge deletes from. Before, only their owner
-- may, and autovacuum does.
DO $$
BEGIN
  IF current_setting('server_version_num')::integer >= 170000 THEN
    EXECUTE 'GRANT MAINTAIN ON nightshift.lookups, nightshift.email_results, nightshift.row_blocks, nightshift.search_blocks,
      nightshift.source_calls, nightshift.raw_responses, nightshift.events, nightshift.webhook_deliveries, nightshift.tracked_ads,
      nightshift.ad_changes, nightshift.scan_companies, nightshift.inbox_files, nightshift.ads, nightshift.ad_versions,
      nightshift.ad_variants, nightshift.answers, nightshift.answer_advertisers, nightshift.answer_summaries TO nightshift_app';
  END IF;
END $$;

-- Drops indexes that an interrupted rebuild left behind: unfinished copies, which every insert would maintain. The caller holds the lock on
-- rebuilds.
CREATE OR REPLACE FUNCTION nightshift.drop_unfinished_indexes() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  v_name name;
BEGIN
  FOR v_name IN
    SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
    WHERE c.relnamespace = 'nightshift'::regnamespace AND NOT i.indisvalid AND c.relname ~ '_cc(new|old)\d*$'
  LOOP
    EXECUTE format('DROP INDEX nightshift.%I', v_name);
  END LOOP;
END $$;

GRANT EXECUTE ON FUNCTION nightshift.drop_unfinished_indexes TO nightshift_app;
