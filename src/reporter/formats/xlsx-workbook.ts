import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { packageRoot } from '../../package-root.ts';
import type { SheetCell } from './xlsx-cells.ts';
import { withoutTimes } from './zip-times.ts';

/** The one sheet of a workbook. */
export interface Sheet {
  /** Header, then lines. */
  readonly rows: readonly (readonly SheetCell[])[];
  /** Column widths, in characters. */
  readonly widths: readonly number[];
}

/** Loaded from `dist`, even when running from the sources: threads of Node 20 cannot load TypeScript. */
const thread = join(packageRoot, 'dist', 'server', 'xlsx-thread.js');

/**
 * Builds a workbook in a separate thread: it takes seconds without a break, in which a server would not respond and its leases
 * would expire.
 *
 * @throws the signal's reason when it aborts.
 */
export async function buildWorkbook(sheet: Sheet, signal: AbortSignal | undefined): Promise<Uint8Array> {
  signal?.throwIfAborted();
  const worker = new Worker(thread, { workerData: sheet });
  try {
    const [bytes] = (await once(worker, 'message', signal === undefined ? {} : { signal })) as [Uint8Array];
    return withoutTimes(bytes);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    await worker.terminate();
  }
}
