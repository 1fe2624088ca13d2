import { sql } from 'drizzle-orm';
import { findingsMax } from '../../../src/core/reports/invariants.ts';
import type { Sql } from '../../connection/client.ts';
import { openCheckpoints, type CheckpointStore } from '../checkpoints.ts';
import { listLedgers } from './list-ledgers.ts';

/** Proof of the chains of all accounts, up to the block that was the last when it began. */
export interface LedgerProof {
  /** Number of entries that were read. */
  readonly entries: number;
  readonly blocks: number;
  readonly findings: readonly string[];
  readonly findingsTotal: number;
  /** Last entry before those that were read, by account. Accounts without one were read from their first entry. */
  readonly provedTo: ReadonlyMap<bigint, bigint>;
}

/** State of a ledger after a block. */
interface ChainState {
  readonly seq: bigint;
  readonly hash: string;
  readonly balanceMicro: bigint;
  readonly heldMicro: bigint;
  /** Number of blocks up to this one. */
  readonly blocks: bigint;
}

const emptyChain: ChainState = { seq: 0n, hash: '', balanceMicro: 0n, heldMicro: 0n, blocks: 0n };

interface ProofOptions {
  /** True reads from the first entries. */
  readonly isFull: boolean;
  /** Number of blocks that one statement reads; default 20,000. */
  readonly blocksAtOnce?: number;
}

/**
 * Proves the chain of every account in parts, each read by a statement of its own: blocks never change, so no snapshot is needed.
 *
 * Begins after the newest checkpoint that fits its blocks, unless `isFull`. A checkpoint that does not fit is a finding, and the
 * chain is read from its first block. A chain without findings gets a new checkpoint.
 */
export async function proveLedger(
  db: Sql,
  { isFull, blocksAtOnce = 20_000 }: ProofOptions,
): Promise<LedgerProof> {
  const checkpoints = await openCheckpoints(db);
  const findings: string[] = [];
  const provedTo = new Map<bigint, bigint>();
  let [entries, blocks, findingsTotal] = [0, 0, 0];
  for (const { accountId, lastSeq } of await listLedgers(db)) {
    const start = await findStart(db, checkpoints, accountId);
    if (start.finding !== null) {
      findings.push(start.finding);
      findingsTotal += 1;
    }
    const from = isFull ? emptyChain : start.state;
    const read = await readChain(db, { accountId, lastSeq, blocksAtOnce }, from);
    provedTo.set(accountId, from.seq);
    entries += Number(read.end.seq - from.seq);
    blocks += Number(read.end.blocks - from.blocks);
    findings.push(...read.findings);
    findingsTotal += read.findingsTotal;
    const isNew = start.finding !== null || read.end.seq > start.state.seq;
    if (read.findingsTotal === 0 && isNew) {
      await checkpoints.write('ledger', accountId, formatState(read.end));
    }
  }
  return { entries, blocks, findings: findings.slice(0, findingsMax), findingsTotal, provedTo };
}

interface ChainStart {
  readonly state: ChainState;
  readonly finding: string | null;
}

async function findStart(db: Sql, checkpoints: CheckpointStore, accountId: bigint): Promise<ChainStart> {
  const checkpoint = await checkpoints.readNewest('ledger', accountId);
  if (checkpoint === null) return { state: emptyChain, finding: null };
  const state = checkpoint.isSigned ? parseState(checkpoint.state) : null;
  if (state === null) {
    const finding = `account ${accountId}: a checkpoint of its ledger is not signed by this installation`;
    return { state: emptyChain, finding };
  }
  if (await fits(db, accountId, state)) return { state, finding: null };
  const finding = `account ${accountId}: its ledger does not fit the checkpoint after entry ${state.seq}`;
  return { state: emptyChain, finding };
}

/** True if the ledger still has the block of a checkpoint, and as many blocks up to it. */
async function fits(db: Sql, accountId: bigint, state: ChainState): Promise<boolean> {
  const { rows } = await db.execute<{ fits: boolean }>(
    sql`SELECT (SELECT count(*) FROM nightshift.ledger_blocks b WHERE b.account_id = ${accountId} AND b.to_seq <= ${state.seq})
        = ${state.blocks}::bigint
      AND EXISTS (
        SELECT FROM nightshift.ledger_blocks b
        WHERE b.account_id = ${accountId} AND b.to_seq = ${state.seq} AND encode(b.hash, 'hex') = ${state.hash}
          AND b.balance_after_micro = ${state.balanceMicro}::bigint AND b.held_after_micro = ${state.heldMicro}::bigint) AS fits`,
  );
  return rows[0]?.fits === true;
}

interface ChainReading {
  readonly end: ChainState;
  readonly findings: readonly string[];
  readonly findingsTotal: number;
}

interface ChainRange {
  readonly accountId: bigint;
  readonly lastSeq: bigint;
  readonly blocksAtOnce: number;
}

async function readChain(db: Sql, range: ChainRange, from: ChainState): Promise<ChainReading> {
  const findings: string[] = [];
  let findingsTotal = 0;
  let end = from;
  while (end.seq < range.lastSeq) {
    const part = await readPart(db, range, end);
    if (part === null) break;
    findings.push(...part.findings);
    findingsTotal += part.findingsTotal;
    end = part.end;
  }
  return { end, findings, findingsTotal };
}

/**
 * Checks blocks that follow a state: numbers, running sums, shapes and hashes. A hash is recomputed from the stored hash before it
 * and the current content. If all match, the chain is intact: a block that was rewritten with its hash no longer fits the next
 * block, or the account. Null if no block follows.
 */
async function readPart(
  db: Sql,
  { accountId, lastSeq, blocksAtOnce }: ChainRange,
  after: ChainState,
): Promise<ChainReading | null> {
  const { rows } = await db.execute<{
    seq: string | null;
    hash: string | null;
    balance_micro: string | null;
    held_micro: string | null;
    blocks: string;
    findings: string[] | null;
    findings_total: string;
  }>(
    sql`WITH read AS MATERIALIZED (
        SELECT b.*, CASE WHEN b.is_unpacked_hash
            THEN (SELECT string_agg(nightshift.ledger_entry_text(e), chr(10) ORDER BY e.seq) FROM nightshift.ledger_entries_of(b) e)
            ELSE nightshift.ledger_packed_text(b) END AS text
        FROM nightshift.ledger_blocks b
        WHERE b.account_id = ${accountId} AND b.to_seq > ${after.seq} AND b.to_seq <= ${lastSeq}
        ORDER BY b.to_seq LIMIT ${blocksAtOnce}
      ), part AS (
        SELECT r.*, to_seq - from_seq + 1 AS entries,
          lag(to_seq, 1, ${after.seq}::bigint) OVER by_seq AS seq_before,
          lag(balance_after_micro, 1, ${after.balanceMicro}::bigint) OVER by_seq AS balance_before,
          lag(held_after_micro, 1, ${after.heldMicro}::bigint) OVER by_seq AS held_before,
          count(hash) OVER (ORDER BY to_seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS call
        FROM read r
        WHERE to_seq <= coalesce((SELECT max(to_seq) FROM read WHERE hash IS NOT NULL), ${lastSeq})
        WINDOW by_seq AS (ORDER BY to_seq)
      ), sealed AS (
        SELECT *, lag(hash, 1, decode(${after.hash}, 'hex')) OVER (ORDER BY call) AS hash_before
        FROM (
          SELECT call, min(from_seq) AS from_seq, max(to_seq) AS to_seq, (array_agg(hash ORDER BY to_seq DESC))[1] AS hash,
            string_agg(text, chr(10) ORDER BY to_seq) AS text
          FROM part GROUP BY call
        ) c
      ), finding AS (
        SELECT to_seq, format('account %s: the block of entries %s to %s %s', account_id, from_seq, to_seq, CASE
            WHEN from_seq <> seq_before + 1 THEN format('follows a block that ends with entry %s', seq_before)
            WHEN balance_after_micro <> balance_before + entries * balance_delta_micro
              OR held_after_micro <> held_before + entries * held_delta_micro
              THEN 'has running sums that do not follow from the entry before'
            WHEN balance_after_micro < 0 OR held_after_micro < 0 THEN 'leaves less than nothing'
            ELSE 'moves credits in a way that no kind does' END) AS finding
        FROM part
        WHERE from_seq <> seq_before + 1
          OR balance_after_micro <> balance_before + entries * balance_delta_micro
          OR held_after_micro <> held_before + entries * held_delta_micro
          OR balance_after_micro < 0 OR held_after_micro < 0
          OR CASE
            WHEN phase IS NULL THEN first_lookup IS NOT NULL OR balance_delta_micro <= 0 OR held_delta_micro <> 0
            WHEN first_lookup IS NULL OR attempt IS NULL THEN true
            WHEN phase = 0 THEN held_delta_micro <= 0 OR balance_delta_micro <> -held_delta_micro
            WHEN phase = 1 THEN held_delta_micro >= 0 OR balance_delta_micro NOT BETWEEN 0 AND -held_delta_micro
            ELSE true END
          OR coalesce(cardinality(steps), last_lookup - first_lookup + 1, 1) <> entries
        UNION ALL
        SELECT to_seq, format('account %s: the hash of the block of entries %s to %s does not fit its entries', ${accountId}::bigint,
          from_seq, to_seq)
        FROM sealed WHERE hash IS DISTINCT FROM nightshift.ledger_hash(hash_before, text)
      ), last AS (
        SELECT * FROM part ORDER BY to_seq DESC LIMIT 1
      )
      SELECT (SELECT to_seq FROM last) AS seq, (SELECT encode(hash, 'hex') FROM last) AS hash,
        (SELECT balance_after_micro FROM last) AS balance_micro, (SELECT held_after_micro FROM last) AS held_micro,
        (SELECT count(*) FROM part) AS blocks, (SELECT count(*) FROM finding) AS findings_total,
        (SELECT array_agg(f.finding ORDER BY f.to_seq) FROM (SELECT * FROM finding ORDER BY to_seq LIMIT ${findingsMax}) f) AS findings`,
  );
  const [row] = rows;
  if (row === undefined || row.seq === null) return null;
  const end: ChainState = {
    seq: BigInt(row.seq),
    hash: row.hash ?? '',
    balanceMicro: BigInt(row.balance_micro ?? 0),
    heldMicro: BigInt(row.held_micro ?? 0),
    blocks: after.blocks + BigInt(row.blocks),
  };
  return { end, findings: row.findings ?? [], findingsTotal: Number(row.findings_total) };
}

function formatState({ seq, hash, balanceMicro, heldMicro, blocks }: ChainState): string {
  return [seq, hash, balanceMicro, heldMicro, blocks].join(' ');
}

/** Null if the text is no state. */
function parseState(text: string): ChainState | null {
  const match = /^(\d+) ([0-9a-f]*) (\d+) (\d+) (\d+)$/.exec(text);
  if (match === null) return null;
  const [seq, hash, balanceMicro, heldMicro, blocks] = match.slice(1);
  return {
    seq: BigInt(seq ?? 0),
    hash: hash ?? '',
    balanceMicro: BigInt(balanceMicro ?? 0),
    heldMicro: BigInt(heldMicro ?? 0),
    blocks: BigInt(blocks ?? 0),
  };
}
