import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { InvariantReport, VerifyOptions } from '../../../src/core/reports/invariants.ts';
import { readAtOnce, type Sql } from '../../connection/client.ts';
import { openCheckpoints } from '../checkpoints.ts';
import type { PartKind } from '../clause.ts';
import { proveLedger, type LedgerProof } from '../ledger/ledger-chain.ts';
import { paceAgeMsMaxDefault, type Peak } from '../pace.ts';
import { openScope } from '../scope/bounds.ts';
import { listBatches, type ListedBatch } from './closed-batches.ts';
import { partSizeDefault, planParts, type PartSize, type Plan } from './plan-parts.ts';
import { noProofs, readProofs, type Proofs } from './proofs.ts';
import {
  addParts,
  evaluateParts,
  hasFindings,
  noResults,
  readPart,
  settleSession,
  wantedParts,
  type PartResults,
} from './run-parts.ts';
import type { Extent, IdRange, Scope } from '../scope/scope.ts';
import { listSnapshots, readNewProofs, storeRun } from './store-run.ts';

/** The last part of a run, in whose snapshot everything else is checked, with the results of all parts. */
export interface MainPart {
  readonly scope: Scope;
  readonly results: PartResults;
  /** Number of items that earlier runs have proved. */
  readonly proved: { readonly rows: number; readonly lookups: number; readonly ads: number };
  readonly pace: { readonly calls: IdRange; readonly before: readonly Peak[]; readonly proved: number };
  /** Null if invariant 4 is not checked. */
  readonly ledger: LedgerProof | null;
}

type CheckAll = (db: Sql, main: MainPart) => Promise<readonly InvariantReport[]>;

/** Calls this much older than those that invariant 9 compares with the rate limit are not read again. */
const callAgeMarginMs = 3_600_000;

interface RecordOptions extends VerifyOptions {
  /** Default `partSizeDefault`. */
  readonly partSize?: PartSize;
}

/** Reads the record in parts, runs `checkAll` in the snapshot of the last one, and stores checkpoints for what has no finding. */
export async function checkRecord(
  db: NodePgDatabase,
  options: RecordOptions,
  checkAll: CheckAll,
): Promise<readonly InvariantReport[]> {
  const { isFull = false, only, partSize = partSizeDefault, paceAgeMsMax = paceAgeMsMaxDefault } = options;
  const isWanted = only === undefined || only.includes(4);
  const ledger = isWanted ? await proveLedger(db, { isFull }) : null;
  const checkpoints = await openCheckpoints(db);
  const proofs = isFull ? noProofs : await readProofs(checkpoints);
  const { plan, listed } = await readAtOnce(db, async (transaction) => {
    await settleSession(transaction);
    const batches = await listBatches(transaction);
    const callAgeMs = paceAgeMsMax + callAgeMarginMs;
    const fresh = batches.filter((batch) => batch.marker !== null && !isProved(batch, proofs));
    const planned = await planParts(transaction, { proofs, batches: fresh, size: partSize, callAgeMs });
    return { plan: planned, listed: new Map(fresh.map((batch) => [batch.id, batch])) };
  });
  let results = noResults;
  const read = new Map<number, ListedBatch>();
  const broken = new Set<number>();
  for (const part of plan.parts.filter(({ kind }) => wantedParts(options).has(kind))) {
    const done = await readPart(db, part, { ...options, listed });
    results = addParts(results, done.results);
    for (const batch of done.batches) read.set(batch.id, batch);
    if (hasFindings(done.results, 'lookups')) done.batches.forEach(({ id }) => broken.add(id));
  }
  const run = { proofs, plan, read, ledger, before: results };
  const main = await readAtOnce(db, (transaction) => readMain(transaction, run, options, checkAll));
  if (only === undefined) await storeRun(checkpoints, { ...main, broken, isFull });
  return main.reports;
}

interface Run {
  readonly proofs: Proofs;
  readonly plan: Plan;
  /** Batches of the parts before. */
  readonly read: ReadonlyMap<number, ListedBatch>;
  readonly ledger: LedgerProof | null;
  readonly before: PartResults;
}

async function readMain(db: Sql, run: Run, options: RecordOptions, checkAll: CheckAll) {
  const { proofs, plan, read, ledger, before } = run;
  await settleSession(db);
  const batches = await listBatches(db);
  const isDone = (batch: ListedBatch) =>
    batch.marker !== null && (isProved(batch, proofs) || read.get(batch.id)?.marker === batch.marker);
  const open = batches.filter((batch) => !isDone(batch));
  const snapshots = await listSnapshots(db);
  const provedSnapshots = snapshots.filter(({ id, marker }) => proofs.snapshots.get(id) === marker);
  const extent: Extent = {
    ...plan.main,
    batchIds: open.map(({ id }) => id),
    provedSnapshots: provedSnapshots.map(({ id }) => id),
  };
  const parts = new Set<PartKind>([...wantedParts(options), 'rest']);
  const scope = await openScope(db, extent, parts);
  const own = await evaluateParts(db, scope, extent, { ...options, parts });
  const results = addParts(before, own);
  const proved = batches.filter((batch) => isProved(batch, proofs));
  const { requests, answers, versions, calls } = proofs.marks;
  const reports = await checkAll(db, {
    scope,
    results,
    proved: {
      rows: proved.reduce((sum, { rows }) => sum + rows, 0),
      lookups: proved.reduce((sum, { lookups }) => sum + lookups, requests.items),
      ads: answers.items + versions.items,
    },
    pace: { calls: extent.calls, before: [...calls.peaks, ...before.peaks], proved: calls.items },
    ledger,
  });
  const closed = open.filter(({ marker }) => marker !== null);
  const fresh = await readNewProofs(db, run, extent);
  return {
    reports,
    results,
    mainIsBroken: hasFindings(own, 'lookups'),
    read: [...read.values()],
    closed,
    snapshots,
    fresh,
  };
}

function isProved({ id, marker }: ListedBatch, { batches }: Proofs): boolean {
  return marker !== null && batches.get(id) === marker;
}
