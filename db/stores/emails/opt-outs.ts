import { and, eq, sql } from 'drizzle-orm';
import type { EmailAddress } from '../../../src/core/emails/syntax/address.ts';
import { createBatcher } from '../../../src/core/async/batcher.ts';
import {
  domainsAbove,
  personDigest,
  type ListedOptOut,
  type OptOut,
  type OptOuts,
} from '../../../src/core/emails/probing/opt-outs.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { optOuts } from '../../schema/probing.ts';
import { texts } from '../sql/arrays.ts';

/** Maximum number of addresses per query. */
const batchMax = 500;

/** Store of opt-outs, in `nightshift.opt_outs`. */
export function createOptOuts(db: Sql): OptOuts {
  return {
    has: createBatcher<EmailAddress, boolean>(batchMax, (addresses) =>
      withDatabase(() => find(db, addresses)),
    ),
    add: (optOut) => withDatabase(() => addOptOut(db, optOut)),
    remove: (optOut) => withDatabase(() => removeOptOut(db, optOut)),
    list: () => withDatabase(() => listOptOuts(db)),
  };
}

async function find(db: Sql, addresses: readonly EmailAddress[]): Promise<readonly boolean[]> {
  const keys = addresses.map((address) => [personDigest(address), ...domainsAbove(address.asciiDomain)]);
  const found = await db.execute<{ key: string }>(
    sql`SELECT key FROM nightshift.opt_outs WHERE key = ANY (${texts([...new Set(keys.flat())])})`,
  );
  const present = new Set(found.rows.map(({ key }) => key));
  return keys.map((those) => those.some((key) => present.has(key)));
}

/** Also used by an erasure. */
export async function addOptOut(db: Sql, optOut: OptOut): Promise<boolean> {
  const { kind } = optOut;
  const added = await db
    .insert(optOuts)
    .values({ kind, key: keyOf(optOut) })
    .onConflictDoNothing();
  return added.rowCount === 1;
}

async function removeOptOut(db: Sql, optOut: OptOut): Promise<boolean> {
  const isIt = and(eq(optOuts.kind, optOut.kind), eq(optOuts.key, keyOf(optOut)));
  const removed = await db.delete(optOuts).where(isIt);
  return removed.rowCount === 1;
}

async function listOptOuts(db: Sql): Promise<readonly ListedOptOut[]> {
  const found = await db.select().from(optOuts).orderBy(optOuts.kind, optOuts.key);
  return found.map(({ kind, key, since }) =>
    kind === 'domain' ? { kind, domain: key, since } : { kind, digest: key, since },
  );
}

function keyOf(optOut: OptOut): string {
  return optOut.kind === 'domain' ? optOut.domain : optOut.digest;
}
