import { openSourceStandIn, type StandInOptions } from './source-stand-in.ts';

/**
 * The stand-in as a process of its own, so that killing workers does not touch it.
 *
 * `node --import tsx test/support/stand-in/source-stand-in-main.ts '{"logFile": "calls.ndjson"}'` prints `{"url":…,"key":…}` on one
 * line and serves until SIGTERM, SIGINT, or the end of the process that started it.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as StandInOptions;
const parent = process.ppid;
const standIn = await openSourceStandIn(options);
process.stdout.write(`${JSON.stringify({ url: standIn.url, key: standIn.key })}\n`);

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// A test that was killed cannot say goodbye: its orphan notices that it has a new parent.
const watch = setInterval(() => process.ppid !== parent && stop(), 500);

function stop(): void {
  clearInterval(watch);
  void standIn.close();
}
