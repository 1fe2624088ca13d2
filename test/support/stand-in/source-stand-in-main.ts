import { openSourceStandIn, type StandInOptions } from './source-stand-in.ts';

/**
 * Stand-in in a separate process, so that killing workers does not affect it.
 *
 * `node --import tsx test/support/stand-in/source-stand-in-main.ts '{"logFile": "calls.ndjson"}'` prints `{"url":…,"key":…}` on
 * one line and serves until SIGTERM, SIGINT, or the end of its parent process.
 */
const options = JSON.parse(process.argv[2] ?? '{}') as StandInOptions;
const parent = process.ppid;
const standIn = await openSourceStandIn(options);
process.stdout.write(`${JSON.stringify({ url: standIn.url, key: standIn.key })}\n`);

process.once('SIGTERM', stop);
process.once('SIGINT', stop);
// A killed test cannot stop its child: the orphan detects that it has a new parent.
const watch = setInterval(() => process.ppid !== parent && stop(), 500);

function stop(): void {
  clearInterval(watch);
  void standIn.close();
}
