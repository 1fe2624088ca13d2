-- Lookups that wait in blocks, and views of the open ones and of all.

-- The lookups of blocks without a row in lookups. A condition on an id needs one on first_id, too: a block spans fewer than 1,000 ids. The
-- subquery is never planned as a join: one probe of the primary key for each lookup, whatever the statistics say.
CREATE OR REPLACE VIEW nightshift.waiting_lookups AS
  SELECT b.batch_id, b.operation, b.first_id, b.account_id, w.id, w.subject_key, w.company_domain, w.company_name, w.email
  FROM nightshift.lookup_blocks b
  CROSS JOIN LATERAL unnest(b.ids, b.subject_keys, b.company_domains, b.company_names, b.emails)
    AS w(id, subject_key, company_domain, company_name, email)
  WHERE (SELECT l.id FROM nightshift.lookups l WHERE l.id = w.id) IS NULL;

-- Lookups without an outcome. first_id: see waiting_lookups.
CREATE OR REPLACE VIEW nightshift.open_lookups AS
  SELECT w.id, w.first_id, w.account_id, w.batch_id, NULL::text AS request_id, w.operation, w.subject_key, w.company_domain,
    w.company_name, w.email, 0::smallint AS tries, NULL::jsonb AS source_results, NULL::bigint AS reparses
  FROM nightshift.waiting_lookups w
  UNION ALL
  SELECT l.id, l.id, l.account_id, l.batch_id, l.request_id, l.operation, l.subject_key, l.company_domain, l.company_name, l.email, l.tries,
    l.source_results, l.reparses
  FROM nightshift.lookups l WHERE l.outcome IS NULL;

-- All lookups, with the columns of lookups.
CREATE OR REPLACE VIEW nightshift.all_lookups AS
  SELECT id, account_id, batch_id, request_id, operation, subject_key, generation, company_domain, company_name, email, outcome, reason,
    source, matched_by, ads_count, charged_micro, tries, ended_at, source_results, partial, truncated, estimate_low, estimate_high,
    observed_at, repeats, reparses, search, answer_id, newest_day, relations, matches, partial_reason, uncertain_advertisers
  FROM nightshift.lookups
  UNION ALL
  SELECT id, account_id, batch_id, NULL, operation, subject_key, 1, company_domain, company_name, email, NULL, NULL,
    NULL, NULL, 0, 0, 0, NULL, NULL, false, false, NULL, NULL,
    NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
  FROM nightshift.waiting_lookups;

-- Deletes the blocks of a batch that finishes.
CREATE OR REPLACE FUNCTION nightshift.delete_lookup_blocks() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM nightshift.lookup_blocks WHERE batch_id = NEW.id;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER finished_batches_have_no_blocks AFTER UPDATE OF finished_at ON nightshift.batches
  FOR EACH ROW WHEN (NEW.finished_at IS NOT NULL AND OLD.finished_at IS NULL)
  EXECUTE FUNCTION nightshift.delete_lookup_blocks();

GRANT SELECT ON nightshift.waiting_lookups, nightshift.open_lookups, nightshift.all_lookups TO nightshift_app;
GRANT EXECUTE ON FUNCTION nightshift.delete_lookup_blocks TO nightshift_app;
