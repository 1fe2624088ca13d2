-- A standby has no rows of unlogged tables, and cannot plan a query that names one. Writes to it are not waited for (db/queries/account-session.ts).
ALTER TABLE nightshift.reading_backends SET LOGGED;
--> statement-breakpoint
-- As nightshift.reading_backends, for sessions on standbys. A process id is unique on one server only.
CREATE TABLE nightshift.reading_replicas (
  pid integer NOT NULL,
  began_at timestamptz NOT NULL,
  account_id bigint NOT NULL,
  bound_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (pid, began_at)
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON nightshift.reading_replicas TO nightshift_app;
