import { createInterface } from 'node:readline';
import { parseCallsPath } from '../core/backup/archive-paths.ts';
import { parseCallRecord, type CallRecord } from '../core/backup/call-records.ts';
import type { Storage } from '../core/storage/storage.ts';

/** Records per page: replies of some KB each. */
const recordsPerPage = 200;

/**
 * Reads the records of calls from a day on, in pages. A line that is not a complete record is skipped: its writer was killed before the call
 * was sent, or before its answer was recorded.
 *
 * @param paths files of the archive.
 * @param since day, such as `2026-11-22`.
 */
export async function* readCalls(
  storage: Storage,
  {
    paths,
    since,
    signal,
  }: { readonly paths: readonly string[]; readonly since: string; readonly signal: AbortSignal },
): AsyncGenerator<readonly CallRecord[], undefined> {
  let page: CallRecord[] = [];
  for (const path of paths) {
    const day = parseCallsPath(path);
    const file = day !== null && day >= since ? await storage.find(path, signal) : null;
    if (file === null) continue;
    // A running process goes on appending to its segment.
    const input = await storage.read(file, signal, { mayGrow: true });
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      const record = parseCallRecord(line);
      if (record === null) continue;
      page.push(record);
      if (page.length < recordsPerPage) continue;
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}
