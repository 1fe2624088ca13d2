import { sql, type SQL } from 'drizzle-orm';
import { bigints } from '../../stores/sql/arrays.ts';

/** Ids after one and up to another. */
export interface IdRange {
  readonly after: bigint;
  readonly to: bigint;
}

/** The largest id. */
export const idMax = 9_223_372_036_854_775_807n;

export const noIds: IdRange = { after: 0n, to: 0n };

/** Lookups of an account with ids from one to another, both included. */
export interface LookupSpan {
  readonly accountId: bigint;
  readonly first: bigint;
  readonly last: bigint;
}

/** Entries of the ledger of an account, by their numbers. */
export interface EntryRange extends IdRange {
  readonly accountId: bigint;
}

/** Records that a part of a run reads. */
export interface Extent {
  /** Batches, also ids of which only rows or lookups are stored. */
  readonly batchIds: readonly number[];
  /** Lookups of requests, and the chunks after which theirs are. */
  readonly requests: IdRange;
  readonly requestChunksAfter: bigint;
  /** Ids of lookups whose verdicts are read to find those without a lookup. */
  readonly verdicts: IdRange;
  readonly entries: readonly EntryRange[];
  readonly calls: IdRange;
  readonly answers: IdRange;
  readonly versions: IdRange;
  /** Snapshots whose answers an earlier run has proved. */
  readonly provedSnapshots: readonly bigint[];
}

/** Extent without anything. */
export const nothing: Extent = {
  batchIds: [],
  requests: noIds,
  requestChunksAfter: 0n,
  verdicts: noIds,
  entries: [],
  calls: noIds,
  answers: noIds,
  versions: noIds,
  provedSnapshots: [],
};

/** Values that a query finds for an extent before its clauses run, so that they read by index. */
export interface Bounds {
  /** Ids of the lookups among which the charges of uneven lookups are. */
  readonly spans: readonly LookupSpan[];
  /** Ids of the lookups among which the verdicts are. */
  readonly idSpans: readonly Omit<LookupSpan, 'accountId'>[];
  /** Ids of the lookups that the entries and the calls name. */
  readonly entryLookups: IdRange;
  readonly callLookups: IdRange;
  /** Ids of the answers to which the lookups refer. */
  readonly usedAnswers: IdRange;
  /** Batches whose chunks and charges are checked lookup by lookup. */
  readonly unevenBatches: readonly number[];
  /** Blocks of entries that are checked entry by entry. Null: all. */
  readonly unevenEntries: readonly EntryBlock[] | null;
}

/** A block of the ledger. */
export interface EntryBlock {
  readonly accountId: bigint;
  readonly toSeq: bigint;
}

/** Relations that clauses read: the part of a table or view that belongs to an extent, as a subquery with the same columns. */
export interface Scope {
  readonly batches: SQL;
  /** The lookups, of `all_lookups`. */
  readonly lookups: SQL;
  /** A query for their number `n`. */
  readonly lookupsCount: SQL;
  readonly rowBlocks: SQL;
  /** The rows, of `batch_rows`. */
  readonly rows: SQL;
  readonly chunks: SQL;
  readonly verdicts: SQL;
  /** Charges of uneven lookups: `(lookup_id, charged, held)`. Has some of other lookups with ids between. */
  readonly charges: SQL;
  /** Answers to which the lookups refer, and others with ids between. */
  readonly usedAnswers: SQL;
  /** Lookups and chunks of requests, and of batches that `uneven-batches.ts` could not prove by counting. */
  readonly unevenLookups: SQL;
  readonly unevenChunks: SQL;
  /** Purged chunks, of all batches and requests, and their lookups: `(id, account_id, charged_micro)`. */
  readonly purgedChunks: SQL;
  readonly purgedLookups: SQL;
  /** Blocks of movements of lookups. */
  readonly entryBlocks: SQL;
  /** The movements that `uneven-entries.ts` could not prove by counting: `(account_id, seq, kind, lookup_id)`; and every lookup that they can name, purged
   * ones included: `(id, account_id)`. */
  readonly entries: SQL;
  readonly entryLookups: SQL;
  readonly calls: SQL;
  readonly callLookups: SQL;
  /** Verdicts by the id of their lookup, and the lookups with these ids. */
  readonly numberedVerdicts: SQL;
  readonly numberedLookups: SQL;
  readonly answers: SQL;
  readonly answerAdvertisers: SQL;
  readonly versions: SQL;
  /** The same with their content, of `ad_contents`. */
  readonly contents: SQL;
  readonly variants: SQL;
  /** Advertisers of snapshots whose answers are not proved. */
  readonly advertisers: SQL;
}

/** Makes the relations of an extent. */
export function scopeOf(extent: Extent, bounds: Bounds): Scope {
  const ids = bigints(extent.batchIds);
  const uneven = bigints(bounds.unevenBatches);
  const proved = bigints(extent.provedSnapshots);
  const entryBlocks = entryBlocksOf(extent.entries);
  const chunks = chunksOf(ids, extent);
  const purgedChunks = purgedChunksOf(ids, extent);
  return {
    batches: sql`(SELECT * FROM nightshift.batches WHERE id = ANY (${ids}))`,
    lookups: lookupsOf(ids, extent),
    lookupsCount: sql`SELECT count(*) AS n FROM ${lookupsOf(ids, extent)} l`,
    rowBlocks: sql`(SELECT * FROM nightshift.row_blocks WHERE batch_id = ANY (${ids}))`,
    rows: sql`(SELECT * FROM nightshift.batch_rows WHERE batch_id = ANY (${ids}))`,
    chunks,
    verdicts: verdictsOf(bounds),
    charges: chargesOf(bounds),
    usedAnswers: between(sql`nightshift.answers`, sql`id`, bounds.usedAnswers),
    unevenLookups: lookupsOf(uneven, extent),
    unevenChunks: chunksOf(uneven, extent),
    purgedChunks,
    purgedLookups: sql`(SELECT i.id, p.account_id, CASE WHEN p.charged @> i.id THEN c.price_micro ELSE 0 END AS charged_micro
      FROM ${purgedChunks} p
      JOIN ${chunks} c ON c.id = p.chunk_id
      CROSS JOIN LATERAL nightshift.ids_of(p.lookups) AS i(id))`,
    entryBlocks,
    entries: sql`(SELECT b.account_id, b.from_seq + n.nth AS seq, b.first_lookup + coalesce(n.step, n.nth) AS lookup_id,
        CASE WHEN b.phase = 0 THEN 'reserve' WHEN b.balance_delta_micro = -b.held_delta_micro THEN 'release' ELSE 'settle' END AS kind
      FROM ${unevenEntryBlocks(entryBlocks, bounds)} b
      CROSS JOIN LATERAL ROWS FROM (generate_series(0, (b.to_seq - b.from_seq)::integer), unnest(b.steps)) AS n(nth, step))`,
    entryLookups: everyLookup(bounds.entryLookups),
    calls: between(sql`nightshift.source_calls`, sql`id`, extent.calls),
    callLookups: everyLookup(bounds.callLookups),
    numberedVerdicts: between(sql`nightshift.email_results`, sql`lookup_id`, extent.verdicts),
    numberedLookups: between(sql`nightshift.all_lookups`, sql`id`, extent.verdicts),
    answers: between(sql`nightshift.answers`, sql`id`, extent.answers),
    answerAdvertisers: between(sql`nightshift.answer_advertisers`, sql`answer_id`, extent.answers),
    versions: between(sql`nightshift.ad_versions`, sql`id`, extent.versions),
    contents: between(sql`nightshift.ad_contents`, sql`id`, extent.versions),
    variants: between(sql`nightshift.ad_variants`, sql`version_id`, extent.versions),
    advertisers: sql`(SELECT * FROM nightshift.advertisers WHERE snapshot_id <> ALL (${proved}))`,
  };
}

/** Never joined by id without a range of ids: such a join could read all waiting lookups for each row. */
function lookupsOf(ids: SQL, { requests: { after, to } }: Extent): SQL {
  return sql`(SELECT * FROM nightshift.all_lookups
    WHERE batch_id = ANY (${ids}) OR (batch_id IS NULL AND id > ${after}::bigint AND id <= ${to}::bigint))`;
}

function chunksOf(ids: SQL, { requests: { after, to }, requestChunksAfter: chunkAfter }: Extent): SQL {
  return sql`(SELECT * FROM nightshift.chunks
    WHERE batch_id = ANY (${ids})
      OR (batch_id IS NULL AND id > ${chunkAfter}::bigint AND first_lookup_id > ${after}::bigint AND first_lookup_id <= ${to}::bigint))`;
}

function purgedChunksOf(ids: SQL, { requests: { after, to }, requestChunksAfter: chunkAfter }: Extent): SQL {
  return sql`(SELECT * FROM nightshift.purged_chunks
    WHERE batch_id = ANY (${ids})
      OR (batch_id IS NULL AND chunk_id > ${chunkAfter}::bigint
        AND (isempty(lookups) OR (lower(lookups) > ${after}::bigint AND lower(lookups) <= ${to}::bigint))))`;
}

/** Lookups with ids in a range, purged ones included. */
function everyLookup(range: IdRange): SQL {
  return sql`(SELECT id, account_id FROM ${between(sql`nightshift.all_lookups`, sql`id`, range)} l
    UNION ALL
    SELECT i.id, p.account_id FROM nightshift.purged_chunks p CROSS JOIN LATERAL nightshift.ids_of(p.lookups) AS i(id)
    WHERE p.lookups && int8range(${range.after}::bigint, ${range.to}::bigint, '(]'))`;
}

function between(table: SQL, column: SQL, { after, to }: IdRange): SQL {
  return sql`(SELECT * FROM ${table} WHERE ${column} > ${after}::bigint AND ${column} <= ${to}::bigint)`;
}

/** By index for each span, whatever the statistics say. */
function verdictsOf({ idSpans }: Bounds): SQL {
  const firsts = bigints(idSpans.map(({ first }) => first));
  const lasts = bigints(idSpans.map(({ last }) => last));
  return sql`(SELECT e.* FROM unnest(${firsts}, ${lasts}) AS g(first, last)
    CROSS JOIN LATERAL (SELECT * FROM nightshift.email_results v WHERE v.lookup_id BETWEEN g.first AND g.last OFFSET 0) e)`;
}

function chargesOf({ spans }: Bounds): SQL {
  const accounts = bigints(spans.map(({ accountId }) => accountId));
  const firsts = bigints(spans.map(({ first }) => first));
  const lasts = bigints(spans.map(({ last }) => last));
  return sql`(SELECT b.first_lookup + coalesce(n.step, n.nth) AS lookup_id, -(b.balance_delta_micro + b.held_delta_micro) AS charged,
      -b.held_delta_micro AS held
    FROM unnest(${accounts}, ${firsts}, ${lasts}) AS g(account_id, first, last)
    CROSS JOIN LATERAL (SELECT * FROM nightshift.ledger_blocks_of(g.account_id, g.first, g.last) OFFSET 0) b
    CROSS JOIN LATERAL ROWS FROM (generate_series(0, (b.to_seq - b.from_seq)::integer), unnest(b.steps)) AS n(nth, step)
    WHERE b.phase = 1 AND b.balance_delta_micro <> -b.held_delta_micro)`;
}

function entryBlocksOf(entries: Extent['entries']): SQL {
  const accounts = bigints(entries.map(({ accountId }) => accountId));
  const afters = bigints(entries.map(({ after }) => after));
  const ends = bigints(entries.map(({ to }) => to));
  return sql`(SELECT b.* FROM unnest(${accounts}, ${afters}, ${ends}) AS p(account_id, after, upto)
    CROSS JOIN LATERAL (
      SELECT * FROM nightshift.ledger_blocks l
      WHERE l.account_id = p.account_id AND l.to_seq > p.after AND l.to_seq <= p.upto AND l.first_lookup IS NOT NULL OFFSET 0
    ) b)`;
}

function unevenEntryBlocks(entryBlocks: SQL, { unevenEntries }: Bounds): SQL {
  if (unevenEntries === null) return entryBlocks;
  const accounts = bigints(unevenEntries.map(({ accountId }) => accountId));
  const seqs = bigints(unevenEntries.map(({ toSeq }) => toSeq));
  return sql`(SELECT l.* FROM unnest(${accounts}, ${seqs}) AS u(account_id, to_seq)
    CROSS JOIN LATERAL (SELECT * FROM nightshift.ledger_blocks o WHERE o.account_id = u.account_id AND o.to_seq = u.to_seq OFFSET 0) l)`;
}
