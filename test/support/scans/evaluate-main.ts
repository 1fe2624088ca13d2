/**
 * A process that evaluates scans until it finds nothing left to do: `evaluate-main.ts DATABASE_URL [CRASHES_AFTER]`. It dies at the
 * so-manieth failpoint that it comes to, and prints its name before.
 */
import { writeSync } from 'node:fs';
import { openDatabase } from '../../../db/connection/client.ts';
import { createScanEvaluator } from '../../../db/stores/changes/evaluate-scans.ts';
import { evaluateScans } from '../../../src/core/changes/scan-evaluator.ts';

const [url = '', crashesAfter = 'Infinity'] = process.argv.slice(2);
let left = Number(crashesAfter);
globalThis.nightshiftFailpoint = (name) => {
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
