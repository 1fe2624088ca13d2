-- Views of reports: inboxes and their files. Neither credentials nor queries are part of a view.

CREATE OR REPLACE VIEW reports.inboxes AS
  SELECT i.name AS inbox, i.public_id AS inbox_id, a.name AS account, i.location ->> 'kind' AS kind,
    CASE i.location ->> 'kind'
      WHEN 'folder' THEN i.location ->> 'path'
      WHEN 's3' THEN format('s3://%s/%s', i.location ->> 'bucket', i.location ->> 'prefix')
      WHEN 'sftp' THEN format('sftp://%s@%s:%s/%s', i.location ->> 'user', i.location ->> 'host', i.location ->> 'port', ltrim(i.location ->> 'path', '/'))
      WHEN 'https' THEN regexp_replace(i.location ->> 'url', '\?.*$', '?…')
      ELSE format('postgres://%s@%s:%s/%s', i.location ->> 'user', i.location ->> 'host', i.location ->> 'port', i.location ->> 'database')
    END AS location,
    i.cron, i.time_zone, i.pattern, i.after, i.sources, trim_scale(i.max_credits_micro / 1000000.0) AS max_credits, i.state, i.state_since,
    i.next_at, i.looked_at, i.failing_since, i.last_error, i.created_at
  FROM nightshift.inboxes i JOIN nightshift.accounts a ON a.id = i.account_id;

COMMENT ON VIEW reports.inboxes IS
  'One row per inbox, including removed ones. The name of a removed inbox can be used again; inbox_id is unique.';
COMMENT ON COLUMN reports.inboxes.kind IS 'folder, s3, sftp, https or postgres.';
COMMENT ON COLUMN reports.inboxes.location IS 'Address without credentials and without the query of a URL.';
COMMENT ON COLUMN reports.inboxes.pattern IS 'Pattern for the names of files. Null: all.';
COMMENT ON COLUMN reports.inboxes.after IS 'What happens to a file that became a batch: keep, move (to done/) or delete.';
COMMENT ON COLUMN reports.inboxes.max_credits IS 'Budget of each batch, in credits. Null: no limit.';
COMMENT ON COLUMN reports.inboxes.state IS 'active, paused or removed.';
COMMENT ON COLUMN reports.inboxes.next_at IS 'Time of the next look; null unless the inbox is active.';
COMMENT ON COLUMN reports.inboxes.looked_at IS 'Time at which the last look ended without an error.';
COMMENT ON COLUMN reports.inboxes.failing_since IS 'Time of the first failed look since the last one without an error; last_error is the error of the last.';

CREATE OR REPLACE VIEW reports.inbox_files AS
  SELECT i.name AS inbox, i.public_id AS inbox_id, a.name AS account, f.public_id AS file_id, f.path, f.bytes, f.modified_at, f.state, f.reason,
    (SELECT b.public_id FROM nightshift.batches b WHERE b.id = f.batch_id) AS batch, f.place, encode(f.content_sha256, 'hex') AS content_sha256,
    f.first_seen_at, f.settled_at
  FROM nightshift.inbox_files f
  JOIN nightshift.inboxes i ON i.id = f.inbox_id
  JOIN nightshift.accounts a ON a.id = f.account_id;

COMMENT ON VIEW reports.inbox_files IS 'One row per file of an inbox and version of its content.';
COMMENT ON COLUMN reports.inbox_files.path IS 'Path at which the file arrived, below the location of the inbox; place is where it is now, null once it was deleted.';
COMMENT ON COLUMN reports.inbox_files.state IS
  'waiting (it may still be written), ready, loading, loaded (it became a batch), joined (a batch had its content already), failed or ignored (it was gone). reason explains the last two.';
COMMENT ON COLUMN reports.inbox_files.batch IS 'The key of its rows, lookups and ads in the other views.';
COMMENT ON COLUMN reports.inbox_files.content_sha256 IS 'SHA-256 of the bytes that were read.';

GRANT SELECT ON reports.inboxes, reports.inbox_files
  TO nightshift_app, nightshift_reader;
