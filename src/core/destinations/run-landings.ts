import { keepRenewing } from '../async/keep-renewing.ts';
import { Conflict, EnrichError, LeaseLost, StorageRejected, ValidationError } from '../errors.ts';
import { failpoint } from '../failpoint.ts';
import { runOutbox, type OutboxRunner } from '../outbox/run-outbox.ts';
import type { Storage } from '../storage/storage.ts';
import { outboxDelayMs } from '../work/retry-policies.ts';
import type { DestinationTarget } from './destination.ts';
import { landFiles } from './land-files.ts';
import { landTable, type LineReader } from './land-table.ts';
import type { DueLanding, LandedSize, LandingEnd, LandingStore } from './landing.ts';
import type { PartExporter } from './part-exporter.ts';
import type { TableLoader } from './table-loader.ts';

/** Maximum number of concurrent landings of a process: each uses up to 150 MB of memory and two parts of disk. */
const sideBySideMax = 2;

/** A place with its secrets. */
export type DestinationPlace = Pick<DestinationTarget, 'location' | 'credentials' | 'isOfAccount'>;

/** Ports to the places of destinations. What is opened is closed. */
export interface DestinationPorts {
  readonly openStorage: (place: DestinationPlace) => Promise<Storage>;
  readonly openTables: (place: DestinationPlace, signal: AbortSignal) => Promise<TableLoader>;
}

export interface LandingRunnerOptions extends DestinationPorts {
  readonly landings: LandingStore;
  readonly openExporter: () => Promise<PartExporter>;
  readonly reader: LineReader;
  readonly pollEveryMs: number;
  /** Lease of a landing, which is renewed while it is written: an expired one belongs to a dead process. */
  readonly leaseMs: number;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Receives every error; landing continues. */
  readonly onError: (error: unknown) => void;
}

/**
 * Writes landings until it is closed. Errors of a destination are recorded and retried; they never touch the batch. A file is written at
 * least once and has the same bytes every time, so a repetition changes nothing.
 */
export function runLandings(options: LandingRunnerOptions): OutboxRunner {
  const { landings, leaseMs, pollEveryMs, onError } = options;
  return runOutbox<DueLanding>({
    claim: (room) => landings.claim(room, leaseMs),
    send: (landing, signal) => land(options, landing, signal),
    sideBySideMax,
    pollEveryMs,
    onError,
  });
}

async function land(options: LandingRunnerOptions, landing: DueLanding, stop: AbortSignal): Promise<void> {
  const { landings, leaseMs, random, onError } = options;
  failpoint('landing:claimed');
  const lost = new AbortController();
  const stopRenewing = keepRenewing(() => landings.renew(landing, leaseMs), {
    everyMs: leaseMs / 3,
    onError: (error) => (error instanceof LeaseLost ? lost.abort(error) : onError(error)),
  });
  const end = await tryOnce(options, landing, AbortSignal.any([stop, lost.signal]))
    .then((size): LandingEnd => ({ kind: 'landed', size }))
    .catch((error: unknown) => endOf(error, landing, { random: random(), stop, onError }))
    .finally(stopRenewing);
  if (lost.signal.aborted || end === 'lost') return;
  if (end === 'stopped') return landings.release(landing);
  await landings.end(landing, end);
  failpoint('landing:ended');
}

async function tryOnce(
  options: LandingRunnerOptions,
  landing: DueLanding,
  signal: AbortSignal,
): Promise<LandedSize> {
  const { landings, reader } = options;
  const { target } = landing;
  const { format } = target;
  if (format === 'table') {
    const { table } = target.options;
    if (table === null) throw new ValidationError('The destination names no table.');
    const loader = await options.openTables(target, signal);
    return landTable(landing, table, { landings, reader, loader, signal }).finally(() => loader.close());
  }
  const storage = await options.openStorage(target);
  try {
    const exporter = await options.openExporter();
    return await landFiles(landing, format, { landings, exporter, storage, signal }).finally(() =>
      exporter.close(),
    );
  } finally {
    await storage.close();
  }
}

/** `lost`: another process has the landing. `stopped`: this process ends. */
function endOf(
  error: unknown,
  { attempt }: DueLanding,
  {
    random,
    stop,
    onError,
  }: {
    readonly random: number;
    readonly stop: AbortSignal;
    readonly onError: (error: unknown) => void;
  },
): LandingEnd | 'lost' | 'stopped' {
  if (error instanceof LeaseLost) return 'lost';
  if (stop.aborted) return 'stopped';
  const isExpected = error instanceof EnrichError;
  // A bug of ours counts as a failed attempt; otherwise the landing would be retried forever.
  if (!isExpected) onError(error);
  const message = isExpected ? error.message : 'an unexpected error: the log has its details';
  const retryAfterMs = isExpected && error.retry.kind === 'after' ? error.retry.delayMs : null;
  const waitMs = isHopeless(error) ? null : outboxDelayMs(attempt, retryAfterMs, random);
  const common = { error: message.slice(0, errorCharsMax), isRejected: error instanceof StorageRejected };
  return waitMs === null ? { kind: 'dead', ...common } : { kind: 'retry', waitMs, ...common };
}

/** The batch was purged or does not fit the format: a repetition fails as well. */
function isHopeless(error: unknown): boolean {
  return error instanceof ValidationError || error instanceof Conflict;
}

const errorCharsMax = 1000;
