import { openApp, type App } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/log.ts';
import { openingCredits } from './command.ts';
import { enrich } from './enrich.ts';
import { exportLocally, land } from './land.ts';
import { lookUpLeads, prepare } from './leads.ts';
import { naive } from './naive.ts';
import { parseBare } from './parse.ts';
import { scan } from './scan.ts';
import { parseOrder, type Task } from './tasks.ts';
import { verify } from './verify.ts';

const config = readConfig({
  NIGHTSHIFT_HOME: process.argv[2],
  NIGHTSHIFT_OPENING_CREDITS: openingCredits,
  // The bucket of the landings.
  NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1',
});
const opening = openApp(config, { log: createLog('warn'), onProgress: () => undefined });

let busy = false;

// Tasks arrive one at a time. This process ends with the benchmark, however that ends.
process.on('message', (message) => void answer(message));
process.on('disconnect', () => void end());
// Ctrl-C reaches the whole process group; the benchmark decides when this process ends.
process.on('SIGINT', () => undefined);

async function answer(message: unknown): Promise<void> {
  const { id, task } = parseOrder(message);
  busy = true;
  try {
    process.send?.({ id, value: await perform(await opening, task), error: null });
  } catch (error) {
    process.send?.({ id, value: null, error: textOf(error) });
  }
  busy = false;
}

/** During a task, an orderly close is impossible: its workers would still query a pool that has ended. */
async function end(): Promise<void> {
  if (!busy) await (await opening).close();
  process.exit(0);
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function perform(opened: App, task: Task): Promise<unknown> {
  switch (task.kind) {
    case 'enrich':
      return enrich(opened, task);
    case 'naive':
      return naive(opened, task);
    case 'parse':
      return parseBare(task.file);
    case 'leads':
      return lookUpLeads(opened, task);
    case 'export':
      return exportLocally(opened, task);
    case 'land':
      return land(opened, task);
    case 'prepare':
      return prepare(opened);
    case 'scan':
      return scan(opened, task);
    case 'verify':
      return verify(opened, task.isFull ?? false);
  }
}
