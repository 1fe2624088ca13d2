import { sql, type SQL } from 'drizzle-orm';
import type { Sql } from '../../connection/client.ts';
import { bigints } from '../../stores/sql/arrays.ts';
import type { PartKind } from '../clause.ts';
import {
  noIds,
  scopeOf,
  type Bounds,
  type Extent,
  type IdRange,
  type LookupSpan,
  type Scope,
} from './scope.ts';
import { listUnevenBatches } from './uneven-batches.ts';
import { listUnevenEntries } from './uneven-entries.ts';

/** Lookups whose ids are at most this far apart share a span. Far more than a block of the ledger spans: none is in two spans. */
const gapMax = 100_000n;
/** Beyond this number, spans are joined over larger gaps. */
const spansMax = 2_000;

const noBounds: Bounds = {
  spans: [],
  idSpans: [],
  entryLookups: noIds,
  callLookups: noIds,
  usedAnswers: noIds,
  unevenBatches: [],
  unevenEntries: [],
};

/** Makes the scope of an extent, with what its clauses need of these parts. Runs in their snapshot. */
export async function openScope(db: Sql, extent: Extent, parts: ReadonlySet<PartKind>): Promise<Scope> {
  const scope = scopeOf(extent, noBounds);
  const ofLookups = parts.has('lookups') ? await boundLookups(db, extent, scope) : noBounds;
  const unevenEntries = parts.has('entries') ? await listUnevenEntries(db, scope) : [];
  return scopeOf(extent, {
    ...ofLookups,
    unevenEntries,
    entryLookups: unevenEntries?.length === 0 ? noIds : await boundEntries(db, scope),
    callLookups: parts.has('calls') ? await boundCalls(db, scope) : noIds,
  });
}

async function boundLookups(db: Sql, extent: Extent, scope: Scope): Promise<Bounds> {
  const unevenBatches = await listUnevenBatches(db, scope, extent.batchIds);
  const { unevenChunks } = scopeOf(extent, { ...noBounds, unevenBatches });
  const spans = joinNear(await listSpans(db, unevenBatches, unevenChunks), gapMax);
  const alone = joinNear(await listSpans(db, extent.batchIds, scope.chunks), gapMax)
    .map((span) => ({ ...span, accountId: 0n }))
    .sort(byPlace);
  return {
    ...noBounds,
    spans,
    idSpans: joinNear(alone, gapMax),
    usedAnswers: await boundAnswers(db, scope),
    unevenBatches,
  };
}

/** The lookups of chunks, and those that wait in blocks: others have neither a verdict nor a movement. */
async function listSpans(db: Sql, batchIds: readonly number[], chunks: SQL): Promise<readonly LookupSpan[]> {
  const { rows } = await db.execute<{ account_id: string; first: string; last: string }>(
    sql`SELECT account_id, min(first) AS first, max(last) AS last
      FROM (
        SELECT s.*, count(*) FILTER (WHERE first > last_before + ${gapMax}::bigint) OVER (PARTITION BY account_id ORDER BY first, last
          ROWS UNBOUNDED PRECEDING) AS island
        FROM (
          SELECT u.*, max(last) OVER (PARTITION BY account_id ORDER BY first, last ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
            AS last_before
          FROM (
            SELECT account_id, first_lookup_id AS first, last_lookup_id AS last FROM ${chunks} c
            UNION ALL
            SELECT account_id, first_id, ids[cardinality(ids)] FROM nightshift.lookup_blocks WHERE batch_id = ANY (${bigints(batchIds)})
          ) u
        ) s
      ) i GROUP BY account_id, island ORDER BY 1, 2`,
  );
  return rows.map((row) => ({
    accountId: BigInt(row.account_id),
    first: BigInt(row.first),
    last: BigInt(row.last),
  }));
}

/** Joins spans of an account that are near each other, in the order of `byPlace`. */
function joinNear(spans: readonly LookupSpan[], gap: bigint): readonly LookupSpan[] {
  const joined: LookupSpan[] = [];
  for (const span of spans) {
    const before = joined.at(-1);
    if (before === undefined || before.accountId !== span.accountId || span.first > before.last + gap) {
      joined.push(span);
    } else {
      const last = before.last > span.last ? before.last : span.last;
      joined[joined.length - 1] = { ...before, last };
    }
  }
  return joined.length > spansMax && gap < 10n ** 15n ? joinNear(joined, gap * 16n) : joined;
}

function byPlace(a: LookupSpan, b: LookupSpan): number {
  return Number(a.first - b.first);
}

async function boundAnswers(db: Sql, { lookups }: Scope): Promise<IdRange> {
  const { rows } = await db.execute<BoundRow>(
    sql`SELECT min(answer_id) AS first, max(answer_id) AS last FROM ${lookups} l`,
  );
  return rangeOf(rows[0]);
}

async function boundEntries(db: Sql, { entryBlocks }: Scope): Promise<IdRange> {
  const { rows } = await db.execute<BoundRow>(
    sql`SELECT min(first_lookup) AS first, max(last_lookup) AS last FROM ${entryBlocks} b`,
  );
  return rangeOf(rows[0]);
}

async function boundCalls(db: Sql, { calls }: Scope): Promise<IdRange> {
  const { rows } = await db.execute<BoundRow>(
    sql`SELECT min(lookup_id) AS first, max(lookup_id) AS last FROM ${calls} c`,
  );
  return rangeOf(rows[0]);
}

interface BoundRow extends Record<string, unknown> {
  readonly first: string | null;
  readonly last: string | null;
}

function rangeOf(row: BoundRow | undefined): IdRange {
  if (row === undefined || row.first === null || row.last === null) return noIds;
  return { after: BigInt(row.first) - 1n, to: BigInt(row.last) };
}
