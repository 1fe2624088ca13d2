import { createRoute, z } from '@hono/zod-openapi';
import type { ChangeFilter, ChangeList, ListedChange } from '../../../core/changes/change-list.ts';
import { changesCsv } from '../../../reporter/export/changes-csv.ts';
import { writeToStream } from '../../../reporter/files/write-to-stream.ts';
import { createConcurrencyLimiter } from '../../http/concurrency-limiter.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { streamAnswer } from '../../http/responses/stream-response.ts';
import { filterOf } from './filter.ts';
import { changesFilterQuery } from './schema.ts';

/** Downloads that one process writes at a time. Each reads pages while its client reads. */
const downloadLimits = { total: 8, perAccount: 3, waitingPerAccount: 20, what: 'downloads' };
/** Number of changes that are read at a time. */
const pageSize = 1000;

/** Routes `GET /v1/changes/export`. */
export function routeChangesExport({ http, guards, services, log }: Router): void {
  const streams = createConcurrencyLimiter(downloadLimits);
  const route = createRoute({
    method: 'get',
    path: '/v1/changes/export',
    summary: 'Export changes',
    description:
      'Returns all changes that `GET /v1/changes` returns for the same filters as CSV: one line a change, with the ad now and before. The ' +
      'response is streamed: if it does not end as HTTP requires, it is incomplete. Cells that a spreadsheet would run as a formula are ' +
      'escaped. Free.',
    tags: ['Schedules'],
    middleware: guards.read('batches:read'),
    request: { query: changesFilterQuery },
    responses: {
      200: { description: 'The changes.', content: { 'text/csv': { schema: z.string() } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId } = c.var.caller;
    const { requestId } = c.var;
    const { changes } = services.schedules;
    const filter = filterOf(c.req.valid('query'));
    // Before the response begins, so that an unknown schedule is an error response.
    const first = await readPage(changes, accountId, { filter, after: null });
    const headers = {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="changes-${new Date().toISOString().slice(0, 10)}.csv"`,
    };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    streams.requireRoom(accountId);
    const stream = streamAnswer(
      (target) =>
        streams.take(accountId, async () => {
          const pages = readPages(changes, accountId, { filter, first });
          for await (const bytes of changesCsv(pages)) await writeToStream(target, bytes);
        }),
      (error) => log.warn({ requestId, err: error }, 'An export of changes was cut off.'),
    );
    return c.body(stream, 200, headers) as never;
  });
}

async function* readPages(
  changes: ChangeList,
  accountId: number,
  { filter, first }: { readonly filter: ChangeFilter; readonly first: readonly ListedChange[] },
): AsyncGenerator<readonly ListedChange[]> {
  let page = first;
  while (page.length > 0) {
    yield page;
    if (page.length < pageSize) return;
    page = await readPage(changes, accountId, { filter, after: page.at(-1)?.place ?? null });
  }
}

function readPage(
  changes: ChangeList,
  accountId: number,
  { filter, after }: { readonly filter: ChangeFilter; readonly after: ListedChange['place'] | null },
): Promise<readonly ListedChange[]> {
  return changes.list(accountId, filter, { limit: pageSize, after });
}
