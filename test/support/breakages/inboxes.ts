/** Manual damage to the data of the inbox `lists` with the files `a.csv`, loaded, and `b.csv`, failed, and the finding of invariant 14. */
export interface InboxBreakage {
  /** Description of the damage, as the end of a sentence. */
  readonly name: string;
  readonly by: string;
  readonly finding: string;
}

const dropChecks = (...names: readonly string[]) =>
  names.map((name) => `ALTER TABLE nightshift.inbox_files DROP CONSTRAINT ${name};`).join(' ');
const loaded = `state = 'loaded'`;

/** Ways to break invariant 14. */
export const inboxBreakages: readonly InboxBreakage[] = [
  {
    name: 'a loaded file without a batch',
    by: `${dropChecks('inbox_files_has_batch')} UPDATE nightshift.inbox_files SET batch_id = NULL WHERE ${loaded}`,
    finding: 'is loaded, and has no batch',
  },
  {
    name: 'a loaded file with a missing batch',
    by: `UPDATE nightshift.inbox_files SET batch_id = 99 WHERE ${loaded}`,
    finding: 'is loaded, and its batch 99 does not exist',
  },
  {
    name: 'a loaded file whose batch is of another account',
    by: `INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (2, 'other'); UPDATE nightshift.batches SET account_id = 2`,
    finding: 'belongs to account 2',
  },
  {
    name: 'a loaded file whose batch is incomplete',
    by: `UPDATE nightshift.batches SET loaded_at = NULL`,
    finding: 'is being loaded',
  },
  {
    name: 'a failed file with a batch',
    by: `${dropChecks('inbox_files_has_batch')} UPDATE nightshift.inbox_files SET batch_id = 1 WHERE state = 'failed'`,
    finding: 'is failed, and has batch 1',
  },
  {
    name: 'two files with one batch',
    by: `DROP INDEX nightshift.inbox_files_batch;
      UPDATE nightshift.inbox_files SET state = 'loaded', batch_id = (SELECT max(batch_id) FROM nightshift.inbox_files)`,
    finding: 'was loaded from 2 files',
  },
  {
    name: 'two rows for one version of a file',
    by: `DROP INDEX nightshift.inbox_files_one_version; UPDATE nightshift.inbox_files SET path = 'a.csv', version = '1'`,
    finding: 'has 2 rows for one version',
  },
  {
    name: 'a failed file without a reason',
    by: `${dropChecks('inbox_files_reason')} UPDATE nightshift.inbox_files SET reason = NULL WHERE state = 'failed'`,
    finding: 'is failed without a reason',
  },
  {
    name: 'a loaded file without an end time',
    by: `${dropChecks('inbox_files_settled')} UPDATE nightshift.inbox_files SET settled_at = NULL WHERE ${loaded}`,
    finding: 'is loaded and has no time of its end',
  },
  {
    name: 'a file of another account than its inbox',
    by: `INSERT INTO nightshift.accounts (id, name) OVERRIDING SYSTEM VALUE VALUES (2, 'other');
      UPDATE nightshift.inbox_files SET account_id = 2 WHERE state = 'failed'`,
    finding: 'belongs to account 2, its inbox',
  },
  {
    name: 'credentials of a removed inbox',
    by: `ALTER TABLE nightshift.inboxes DROP CONSTRAINT inboxes_credentials;
      UPDATE nightshift.inboxes SET state = 'removed', next_at = NULL, credentials = '{"password": "secret"}'`,
    finding: 'is removed, and its credentials are stored',
  },
];
