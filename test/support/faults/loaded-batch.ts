import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { vi } from 'vitest';
import type { OpenedBackend } from '../queue/backends.ts';
import type { TestDatabase } from '../db/database.ts';
import { listFile, type ListedRow } from './listed-companies.ts';
import {
  readNightshift,
  startNightshift,
  type Environment,
  type NightshiftProcess,
} from '../cli/nightshift-process.ts';
import { faultWaitMsMax } from '../wait-bound.ts';

/** A batch that the command line has loaded and that waits for workers. */
export interface LoadedRun {
  readonly batch: string;
  readonly environment: Environment;
  readonly database: TestDatabase;
  /** Starts `nightshift work`. */
  readonly startWorker: (settings?: Environment) => NightshiftProcess;
  readonly readState: () => Promise<string>;
  /** Resolves when the batch has finished; rejects with its state after the timeout. Default: five minutes, a bound on hanging. */
  readonly untilFinished: (timeoutMs?: number) => Promise<void>;
}

/** A batch run of companies. */
export interface BatchRun extends LoadedRun {
  readonly rows: readonly ListedRow[];
  /** Total of granted credits. */
  readonly grants: number;
}

/** Options of a batch run. `settings` extend those of the backend. */
export interface BatchRunOptions {
  readonly source: { readonly url: string; readonly key: string };
  readonly rows: readonly ListedRow[];
  readonly settings: Environment;
}

const grants = 10_000;

/** Loads the batch on a fresh database and a fresh queue, with one source only. */
export async function openBatchRun(
  opened: OpenedBackend,
  { source, rows, settings }: BatchRunOptions,
): Promise<BatchRun> {
  const run = await loadBatchRun(opened, listFile(rows), {
    NIGHTSHIFT_UPSTREAM_URL: source.url,
    NIGHTSHIFT_UPSTREAM_KEY: source.key,
    NIGHTSHIFT_OPENING_CREDITS: String(grants),
    ...settings,
  });
  return { ...run, rows, grants };
}

/** Loads a batch with these settings in addition to those of the backend. */
export async function loadBatchRun(
  opened: OpenedBackend,
  list: string | Uint8Array,
  settings: Environment,
): Promise<LoadedRun> {
  const { database } = opened;
  const environment = { ...opened.environment, ...settings };
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, list);
  const { id: batch } = (await readNightshift(['load', file], environment)) as { id: string };
  const readState = async () => {
    const found = await database.owner.sql.execute<{ state: string }>(
      sql`SELECT state FROM nightshift.batches WHERE public_id = ${batch}`,
    );
    return found.rows[0]?.state ?? 'missing';
  };
  return {
    batch,
    environment,
    database,
    startWorker: (more = {}) => startNightshift(['work'], { ...environment, ...more }),
    readState,
    untilFinished: (timeoutMs = faultWaitMsMax) =>
      vi.waitFor(
        async () => {
          const state = await readState();
          if (state !== 'finished') throw new Error(`The batch is ${state}.`);
        },
        { timeout: timeoutMs, interval: 200 },
      ),
  };
}

/** A folder that the operating system removes. */
export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), 'nightshift-night-'));
}
