-- Views of reports: destinations, landings and their parts. Credentials are in no view.

CREATE OR REPLACE VIEW reports.destinations AS
  SELECT d.public_id AS destination_id, d.name AS destination, a.name AS account, s.name AS schedule, b.public_id AS batch,
    d.location ->> 'kind' AS kind, d.format, d.shapes, d.options ->> 'layout' AS layout, d.options ->> 'table' AS table_name,
    d.state, d.state_reason, d.created_at
  FROM nightshift.destinations d
  JOIN nightshift.accounts a ON a.id = d.account_id
  LEFT JOIN nightshift.schedules s ON s.id = d.schedule_id
  LEFT JOIN nightshift.batches b ON b.id = d.batch_id;

COMMENT ON VIEW reports.destinations IS
  'One row per destination, including removed ones. The name of a removed destination can be used again; destination_id is unique.';
COMMENT ON COLUMN reports.destinations.schedule IS
  'Schedule whose batches it takes; batch is the only batch it takes. Without both it takes all batches of the account.';
COMMENT ON COLUMN reports.destinations.kind IS 'folder, s3, sftp or postgres.';
COMMENT ON COLUMN reports.destinations.state IS 'active, disabled or removed. Landings of a disabled destination wait.';

CREATE OR REPLACE VIEW reports.landings AS
  SELECT b.public_id AS batch, d.public_id AS destination_id, d.name AS destination, a.name AS account, l.shape, l.revision, l.content_key,
    l.state, l.attempts, l.tried_at, CASE WHEN l.state = 'pending' THEN l.next_at END AS next_at, l.last_error, l.landed_at, l.note,
    l.rows, l.bytes, l.parts, l.created_at
  FROM nightshift.landings l
  JOIN nightshift.destinations d ON d.id = l.destination_id
  JOIN nightshift.accounts a ON a.id = d.account_id
  JOIN nightshift.batches b ON b.id = l.batch_id;

COMMENT ON VIEW reports.landings IS 'One row per batch, destination and shape: the writing of the results to the destination.';
COMMENT ON COLUMN reports.landings.state IS 'pending, landed, or dead (no more attempts until a replay).';
COMMENT ON COLUMN reports.landings.revision IS 'Number of the completion of the batch that lands: a batch that was retried lands again.';
COMMENT ON COLUMN reports.landings.content_key IS 'Batch, shape and time of the completion. The same key means the same content.';
COMMENT ON COLUMN reports.landings.rows IS 'Number of lines that landed; bytes is the size of their files, and parts the number of these.';

CREATE OR REPLACE VIEW reports.landing_parts AS
  SELECT b.public_id AS batch, d.public_id AS destination_id, d.name AS destination, a.name AS account, l.shape, p.part, p.path, p.rows,
    p.bytes, p.sha256, p.written_at
  FROM nightshift.landing_parts p
  JOIN nightshift.landings l ON l.id = p.landing_id
  JOIN nightshift.destinations d ON d.id = l.destination_id
  JOIN nightshift.accounts a ON a.id = d.account_id
  JOIN nightshift.batches b ON b.id = l.batch_id;

COMMENT ON VIEW reports.landing_parts IS 'One row per file of a landing, or per table that it was loaded into. Part 0 is the manifest.';
COMMENT ON COLUMN reports.landing_parts.path IS 'Path below the root of the destination, or name of the table.';
COMMENT ON COLUMN reports.landing_parts.written_at IS 'Time at which the destination confirmed it; null while the file may exist or not.';

GRANT SELECT ON reports.destinations, reports.landings, reports.landing_parts
  TO nightshift_app, nightshift_reader;
