/**
 * Process that evaluates scans until none is left: `evaluate-main.ts DATABASE_URL [CRASHES_AFTER [AT]]`. It dies when it reaches
 * a failpoint, or the named one, for the nth time, and prints its name before.
 */
import { writeSync } from 'node:fs';
import { openDatabase } from '../../../db/connection/client.ts';
import { createScanEvaluator } from '../../../db/stores/changes/evaluate-scans.ts';
import { evaluateScans } from '../../../src/core/changes/scan-evaluator.ts';

const [url = '', crashesAfter = 'Infinity', at = 'any'] = process.argv.slice(2);
let left = Number(crashesAfter);
globalThis.nightshiftFailpoint = (name) => {
  if (at !== 'any' && name !== at) return;
  left -= 1;
  if (left > 0) return;
  writeSync(process.stdout.fd, name);
  process.kill(process.pid, 'SIGKILL');
};
const database = openDatabase({
  url,
  role: 'nightshift_app',
  connectionsMax: 2,
  name: 'nightshift test',
  onIdleError: () => undefined,
});
await evaluateScans(createScanEvaluator(database.sql), new AbortController().signal);
await database.close();
