import { createRoute, z } from '@hono/zod-openapi';
import { rowsArePurged } from '../../../core/batches/batch.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { paceBody, timelineBody, toEntryBody, toPaceBody } from './timeline-schema.ts';
import { batchId } from './schema.ts';
import { badCursor, cutPage, pageQuery } from '../../http/pages.ts';

/** Routes `GET /v1/batches/{id}/timeline` and `/pace`: the history and the throughput of a batch. */
export function routeBatchTimeline({ http, guards, services }: Router): void {
  const timeline = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/timeline',
    summary: 'Read the timeline of a batch',
    description: `Returns the history of a batch from its creation: its loading, every change of state with the reason, and retries, with the author if it
is known. Repeated waits for a source are one entry with a count.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId, query: z.strictObject(pageQuery(200, 50)) },
    responses: {
      200: { description: 'A page of entries.', content: { 'application/json': { schema: timelineBody } } },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
  http.openapi(timeline, async (c) => {
    const { id } = c.req.valid('param');
    const { limit, after } = c.req.valid('query');
    const batch = await services.batches.pages.readSummary(c.var.caller.accountId, id);
    if (batch.purgedAt !== null) throw rowsArePurged(id, batch.purgedAt);
    const found = await services.batches.timeline.list(batch.batchId, limit + 1, parseEntryId(after));
    const { items, next } = cutPage(found, limit, (entry) => String(entry.id));
    return c.json({ entries: items.map(toEntryBody), next }, 200);
  });

  const pace = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/pace',
    summary: 'Read the throughput of a batch',
    description: `Returns the number of lookups that ended within the last five minutes at most, and the time that the rest takes at that rate. Use it when
you begin to follow a running batch; afterwards you can measure the rate from its events.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId },
    responses: {
      200: { description: 'The throughput.', content: { 'application/json': { schema: paceBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(pace, async (c) => {
    const { id } = c.req.valid('param');
    const batch = await services.batches.pages.readSummary(c.var.caller.accountId, id);
    const found = await services.batches.timeline.readPace(batch.batchId);
    return c.json(toPaceBody(found, batch.lookups.open), 200);
  });
}

function parseEntryId(after: string | undefined): bigint {
  if (after === undefined) return 0n;
  if (!/^\d{1,18}$/.test(after)) throw badCursor();
  return BigInt(after);
}
