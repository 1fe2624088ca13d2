import { tmpdir } from 'node:os';

/** Folder of a test CLI on a machine with the usual folder for temporary files. */
const usualFolder = '/tmp/nightshift-desk-000000';

/** True if paths of the test CLI are as long as in the snapshots: layouts depend on it. */
export function hasUsualPaths(): boolean {
  return tmpdir() === '/tmp';
}

/** Replaces what differs between two runs by text of the same width: ids, times, days, ports and the folder of the test CLI. */
export function maskVolatile(lines: readonly string[], folder: string): string {
  const text = lines
    .join('\n')
    .replaceAll(folder, usualFolder)
    // Narrow terminals break an id.
    .replace(
      /\b([a-z]{2,4}_)((?:[0-9a-f]\s*){32})\b/g,
      (_, kind, digits: string) => `${String(kind)}${digits.replace(/[0-9a-f]/g, '0')}`,
    )
    .replace(/\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?/g, (moment) => moment.replace(/\d/g, '0'))
    .replace(/\b(ns_[a-z]+_)\w{4}…\w{4}/g, (_, start) => `${String(start)}0000…0000`)
    // The sample may get further ads.
    .replace(/\b\d+ lines\b/g, (count) => count.replace(/\d/g, '0'));
  return `${text.replace(/[ \t]+$/gm, '').trimEnd()}\n`;
}
