import type { SourcePause } from '../sources/state/source-pause.ts';
import type { PauseKind } from '../work/pause.ts';
import type { RecentScan } from '../work/service-activity.ts';
import type { BatchEvent } from './batch-timeline.ts';
import type { BatchSummary } from './batch.ts';

/** Recent event of a batch. A repeated wait raises `times` of its first entry. */
export interface BatchEntry {
  readonly id: string;
  /** Public id of the batch. */
  readonly batch: string;
  readonly event: BatchEvent;
  readonly times: number;
  /** Reason of a wait for a source. */
  readonly waitKind: PauseKind | null;
}

/** Port: what the log of the service reports, read from the record, whichever process has done it. */
export interface ActivityLogStore {
  /** Lists the events of batches of the last `windowMs`, oldest first; of the newest events only. */
  listEntries(windowMs: number): Promise<readonly BatchEntry[]>;
  /** Lists the sources that are paused, or whose next call after a pause is a probe. */
  listPauses(): Promise<readonly SourcePause[]>;
  countOpenBatches(): Promise<number>;
}

/** Stores, clock and output of the log. */
export interface ActivityLogOptions {
  readonly store: ActivityLogStore;
  readonly readSummary: (publicId: string) => Promise<BatchSummary>;
  readonly readScans: (windowMs: number) => Promise<readonly RecentScan[]>;
  readonly now: () => Date;
  /** Writes a line. Fields have ids, counts, durations and names of sources, and nothing of a file. */
  readonly write: (message: string, fields: object) => void;
}

/** Far longer than the interval of the calls, so that an outage of the database hides nothing. */
const windowMs = 10 * 60_000;

/**
 * Creates a function that logs what has happened since its last call: batches, pauses of sources, and scans. The first call logs the number
 * of unfinished batches, and nothing of the time before.
 */
export function createActivityLog(options: ActivityLogOptions): () => Promise<void> {
  const { store, write } = options;
  const logBatches = createBatchLog(options);
  const logSources = createSourceLog(options);
  const logScans = createScanLog(options);
  let isFirst = true;
  return async () => {
    if (isFirst) write('Dispatcher started', { openBatches: await store.countOpenBatches() });
    await logBatches(isFirst);
    await logScans(isFirst);
    await logSources();
    isFirst = false;
  };
}

const batchMessages: Readonly<Partial<Record<BatchEvent, string>>> = {
  loaded: 'Batch started',
  waiting_for_source: 'Batch waiting',
  waiting_for_credits: 'Batch waiting',
  paused: 'Batch paused',
  resumed: 'Batch resumed',
  retried: 'Batch retried',
  finished: 'Batch finished',
  cancelled: 'Batch cancelled',
};

function createBatchLog({ store, readSummary, write, now }: ActivityLogOptions) {
  let known: ReadonlySet<string> = new Set();
  return async (isFirst: boolean): Promise<void> => {
    const entries = await store.listEntries(windowMs);
    const before = known;
    known = new Set(entries.map(keyOf));
    for (const entry of isFirst ? [] : entries.filter((each) => !before.has(keyOf(each)))) {
      const message = batchMessages[entry.event];
      if (message !== undefined) write(message, batchFields(entry, await readSummary(entry.batch), now()));
    }
  };
}

function keyOf({ id, times }: BatchEntry): string {
  return `${id} ${times}`;
}

function batchFields(
  { batch: batchId, event, waitKind }: BatchEntry,
  batch: BatchSummary,
  now: Date,
): object {
  const { rows, lookups, waitUntil, createdAt, finishedAt } = batch;
  if (event === 'waiting_for_credits') return { batchId, reason: 'credits', open: lookups.open };
  if (event === 'waiting_for_source')
    return { batchId, reason: waitKind ?? 'source', until: waitUntil, open: lookups.open };
  if (event === 'loaded')
    return { batchId, rows: rows.total, rejected: rows.rejected, lookups: lookups.total };
  return { batchId, lookups, durationMs: (finishedAt ?? now).getTime() - createdAt.getTime() };
}

function createSourceLog({ store, write, now }: ActivityLogOptions) {
  let paused: ReadonlyMap<string, SourcePause & { readonly since: Date }> = new Map();
  return async (): Promise<void> => {
    const before = paused;
    const pauses = await store.listPauses();
    paused = new Map(
      pauses.map((pause) => [pause.source, { ...pause, since: before.get(pause.source)?.since ?? now() }]),
    );
    for (const { source, kind, until, pauses: count } of paused.values()) {
      if (before.get(source)?.until.getTime() === until.getTime()) continue;
      write('Source paused', { source, reason: kind, until, pauses: count });
    }
    for (const { source, since } of before.values()) {
      if (paused.has(source)) continue;
      write('Source resumed', { source, durationMs: now().getTime() - since.getTime() });
    }
  };
}

function createScanLog({ readScans, write }: ActivityLogOptions) {
  let known: ReadonlySet<string> = new Set();
  return async (isFirst: boolean): Promise<void> => {
    const lines = (await readScans(windowMs)).flatMap(scanLines);
    const before = known;
    known = new Set(lines.map(({ key }) => key));
    if (isFirst) return;
    for (const { key, message, fields } of lines) if (!before.has(key)) write(message, fields);
  };
}

function scanLines({ scan: scanId, batch: batchId, begunAt, ended }: RecentScan) {
  const started = { key: scanId, message: 'Scan started', fields: { scanId, batchId } };
  if (ended === null) return [started];
  const { state, at, changes } = ended;
  const durationMs = at.getTime() - begunAt.getTime();
  const key = `${scanId} ${at.getTime()}`;
  return [
    started,
    { key, message: 'Scan finished', fields: { scanId, batchId, state, changes, durationMs } },
  ];
}
