import { sql } from 'drizzle-orm';
import { notApplicable, type InvariantReport } from '../../src/core/reports/invariants.ts';
import type { Sql } from '../connection/client.ts';
import { inboxes } from '../schema/inboxes.ts';
import { countOf, evaluate, type Clause } from './clause.ts';

/** Invariant 14. */
export async function checkInboxes(db: Sql): Promise<InvariantReport> {
  const found = await db.select({ id: inboxes.id }).from(inboxes).limit(1);
  if (found.length === 0) return notApplicable(14, 'There are no inboxes yet.');
  return evaluate(db, 14, [
    loadedFilesHaveTheirBatch,
    batchesHaveOneFile,
    endsAreExplained,
    filesBelongToOneAccount,
    secretsAreGone,
  ]);
}

/** A file is recorded as loaded in the transaction in which its batch becomes runnable. */
const loadedFilesHaveTheirBatch: Clause = {
  checked: countOf(sql`nightshift.inbox_files`),
  broken: sql`SELECT format('file %s is %s, and %s', f.public_id, f.state, CASE
        WHEN f.batch_id IS NULL THEN 'has no batch'
        WHEN b.id IS NULL THEN format('its batch %s does not exist', f.batch_id)
        WHEN b.account_id <> f.account_id THEN format('its batch %s belongs to account %s', b.public_id, b.account_id)
        ELSE format('its batch %s is being loaded', b.public_id) END) AS finding
    FROM nightshift.inbox_files f LEFT JOIN nightshift.batches b ON b.id = f.batch_id
    WHERE f.state IN ('loaded', 'joined') AND (b.id IS NULL OR b.account_id <> f.account_id OR b.loaded_at IS NULL)
    UNION ALL
    SELECT format('file %s is %s, and has batch %s', f.public_id, f.state, f.batch_id)
    FROM nightshift.inbox_files f WHERE f.state NOT IN ('loaded', 'joined') AND f.batch_id IS NOT NULL`,
};

const batchesHaveOneFile: Clause = {
  checked: null,
  broken: sql`SELECT format('batch %s was loaded from %s files, of which %s', coalesce(b.public_id, f.batch_id::text), count(*), min(f.public_id)) AS finding
    FROM nightshift.inbox_files f LEFT JOIN nightshift.batches b ON b.id = f.batch_id
    WHERE f.state = 'loaded' AND f.batch_id IS NOT NULL GROUP BY f.batch_id, b.public_id HAVING count(*) > 1
    UNION ALL
    SELECT format('inbox %s has %s rows for one version of %s', i.public_id, count(*), min(f.public_id))
    FROM nightshift.inbox_files f JOIN nightshift.inboxes i ON i.id = f.inbox_id
    GROUP BY i.id, f.path, f.version HAVING count(*) > 1`,
};

const endsAreExplained: Clause = {
  checked: null,
  broken: sql`SELECT format('file %s is %s without a reason', public_id, state) AS finding
    FROM nightshift.inbox_files WHERE state IN ('failed', 'ignored') AND reason IS NULL
    UNION ALL
    SELECT format('file %s is %s and has %s', public_id, state,
        CASE WHEN settled_at IS NULL THEN 'no time of its end' ELSE 'a time of its end' END)
    FROM nightshift.inbox_files WHERE (state IN ('waiting', 'ready', 'loading')) <> (settled_at IS NULL)`,
};

const filesBelongToOneAccount: Clause = {
  checked: null,
  broken: sql`SELECT format('file %s belongs to account %s, its inbox %s to account %s', f.public_id, f.account_id, i.public_id,
        i.account_id) AS finding
    FROM nightshift.inbox_files f JOIN nightshift.inboxes i ON i.id = f.inbox_id WHERE f.account_id <> i.account_id`,
};

const secretsAreGone: Clause = {
  checked: countOf(sql`nightshift.inboxes`),
  broken: sql`SELECT format('inbox %s is removed, and its credentials are stored', public_id) AS finding
    FROM nightshift.inboxes WHERE state = 'removed' AND credentials IS NOT NULL`,
};
