import type { App } from '../../src/app/app.ts';
import { loadFile } from '../../src/cli/commands/batches/load-file.ts';
import type { LoadedBatch } from '../../src/producer/load/load-batch.ts';
import { quietContext } from './command-context.ts';

/** Loads a file like `nightshift load --again`. */
export function loadAgain(app: App, file: string): Promise<LoadedBatch> {
  return loadFile(quietContext(app), file, { source: 'snapshot', again: true });
}
