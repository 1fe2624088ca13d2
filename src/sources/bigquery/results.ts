import { SourceUnavailable } from '../../core/errors.ts';
import { backoffMs, bigQueryPoll } from '../../core/work/retry-policies.ts';
import type { Connection } from './connection.ts';
import type { JobPlace } from './jobs.ts';
import { decodeRows, type Row } from './rows.ts';
import type { ReadingLimit } from './errors.ts';
import { resultsReply, unreadable, type WirePage } from './wire.ts';

export interface ResultsOptions extends JobPlace {
  /** Milliseconds from the start until the job must be done. */
  readonly deadlineMs: number;
  /** Clock; milliseconds since 1970. */
  readonly nowMs: () => number;
  readonly sleep: (delayMs: number, signal: AbortSignal) => Promise<void>;
}

/** The rows of jobs. */
export interface Results {
  /** Waits until the job is done and returns the first page. @throws SourceUnavailable when the deadline passes first. */
  firstPage(id: string, limit: ReadingLimit, signal: AbortSignal): Promise<WirePage>;
  /** All pages from the first one on, each fetched on demand. @throws SourceUnreadable when rows are missing. */
  pages(
    id: string,
    first: WirePage,
    limit: ReadingLimit,
    signal: AbortSignal,
  ): AsyncGenerator<readonly Row[]>;
}

/** Time for which one poll lets BigQuery wait for the job, in milliseconds; BigQuery's own default. */
const pollMs = 10_000;
/** Maximum number of rows per page. An ad with thirty regions takes about 3 KB on the wire. */
const pageRowsMax = 5_000;

export function createResults(ask: Connection, options: ResultsOptions): Results {
  const { projectId, location, deadlineMs, nowMs, sleep } = options;
  return { firstPage, pages };

  async function firstPage(id: string, limit: ReadingLimit, signal: AbortSignal): Promise<WirePage> {
    const endMs = nowMs() + deadlineMs;
    for (let polls = 0; ; polls += 1) {
      const timeoutMs = String(Math.max(0, Math.min(pollMs, endMs - nowMs())));
      const page = await readPage(id, { timeoutMs }, limit, signal);
      if (page.jobComplete) return page;
      const delayMs = backoffMs(bigQueryPoll, polls);
      if (nowMs() + delayMs > endMs) throw stillRunning(deadlineMs);
      await sleep(delayMs, signal);
    }
  }

  async function* pages(id: string, first: WirePage, limit: ReadingLimit, signal: AbortSignal) {
    let count = 0;
    for (let page = first; ;) {
      count += page.rows.length;
      if (page.rows.length > 0) yield decodeRows(page.schema.fields, page.rows);
      if (page.pageToken === undefined || count >= first.totalRows) break;
      const next = await readPage(id, { pageToken: page.pageToken }, limit, signal);
      if (!next.jobComplete || next.rows.length === 0) throw unreadable('rows', 'a page without rows');
      page = next;
    }
    // A missing page must not look like missing ads.
    if (count !== first.totalRows)
      throw unreadable('totalRows', `${first.totalRows} promised, ${count} given`);
  }

  async function readPage(
    id: string,
    query: Readonly<Record<string, string>>,
    limit: ReadingLimit,
    signal: AbortSignal,
  ) {
    const path = `/projects/${projectId}/queries/${id}`;
    const all = { location, maxResults: String(pageRowsMax), ...query };
    return ask(resultsReply, { path, query: all, limit }, signal);
  }
}

function stillRunning(deadlineMs: number): SourceUnavailable {
  return new SourceUnavailable(
    `The BigQuery job is not done after ${deadlineMs} ms; a retry waits for it further`,
    { inDoubt: false },
  );
}
