import { createRoute, z } from '@hono/zod-openapi';
import { rowsArePurged } from '../../../core/batches/batch.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { paceBody, timelineBody, toEntryBody, toPaceBody } from './timeline-schema.ts';
import { batchId } from './schema.ts';
import { badCursor, cutPage, pageQuery } from '../../http/pages.ts';

/** `GET /v1/batches/{id}/timeline` and `/pace`: what happened to a batch, and how fast it goes. */
export function routeBatchTimeline({ http, guards, services }: Router): void {
  const timeline = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/timeline',
    summary: 'Read the timeline of a batch',
    description: `What happened to a batch and when, from its beginning: that it was made and loaded, every change of its state with the reason, and
retries, with who did it where that is known. A source that comes and goes makes one entry, which counts how often.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId, query: z.strictObject(pageQuery(200, 50)) },
    responses: {
      200: { description: 'A page of it.', content: { 'application/json': { schema: timelineBody } } },
      ...problemResponses('get', 'not_found', 'conflict'),
    },
  });
  http.openapi(timeline, async (c) => {
    const { id } = c.req.valid('param');
    const { limit, after } = c.req.valid('query');
    const batch = await services.batches.store.readSummary(c.var.caller.accountId, id);
    if (batch.purgedAt !== null) throw rowsArePurged(id, batch.purgedAt);
    const found = await services.batches.timeline.list(batch.batchId, limit + 1, parseEntryId(after));
    const { items, next } = cutPage(found, limit, (entry) => String(entry.id));
    return c.json({ entries: items.map(toEntryBody), next }, 200);
  });

  const pace = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/pace',
    summary: 'Read the pace of a batch',
    description: `How many lookups ended of late, over the last five minutes at most, and how long the rest takes at that pace. For whoever begins
to follow a batch in the middle: from the events one measures it oneself.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: { params: batchId },
    responses: {
      200: { description: 'The pace.', content: { 'application/json': { schema: paceBody } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(pace, async (c) => {
    const { id } = c.req.valid('param');
    const batch = await services.batches.store.readSummary(c.var.caller.accountId, id);
    const found = await services.batches.timeline.readPace(batch.batchId);
    return c.json(toPaceBody(found, batch.lookups.open), 200);
  });
}

function parseEntryId(after: string | undefined): bigint {
  if (after === undefined) return 0n;
  if (!/^\d{1,18}$/.test(after)) throw badCursor();
  return BigInt(after);
}
