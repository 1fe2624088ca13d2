import { createRoute } from '@hono/zod-openapi';
import { isFinal } from '../../../core/batches/batch.ts';
import {
  createEventStreams,
  eventStreamHeaders,
  eventStreamResponse,
} from '../../http/responses/event-stream.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { toBatchBody } from './batch-body.ts';
import { batchId } from './schema.ts';

/** Routes `GET /v1/batches/{id}/events`: the progress of a batch as server-sent events. */
export function routeBatchEvents(router: Router): void {
  const { http, guards, services } = router;
  const streamEvents = createEventStreams(router, {
    total: 200,
    perAccount: 50,
    beyondTotal: 'service_unavailable',
  });
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/events',
    summary: 'Stream the progress of a batch',
    description: `Streams server-sent events. \`progress\` is sent when the batch has changed, at most once per second. Its data is the complete batch, so
that no change is lost between two events. \`end\` is sent when the batch is finished or cancelled; then the connection closes. To resume
a stream, send Last-Event-ID: an event that was received already is not sent again.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: {
      params: batchId,
      headers: eventStreamHeaders,
    },
    responses: {
      ...eventStreamResponse,
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId } = c.var.caller;
    const { id: publicId } = c.req.valid('param');
    await services.batches.pages.readSummary(accountId, publicId);
    return streamEvents(c, async () => {
      const batch = toBatchBody(await services.batches.pages.readSummary(accountId, publicId));
      const isLast = isFinal(batch.state);
      return { event: isLast ? 'end' : 'progress', data: JSON.stringify(batch), isLast };
    });
  });
}
