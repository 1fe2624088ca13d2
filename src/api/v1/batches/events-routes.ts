import { createHash } from 'node:crypto';
import { createRoute, z } from '@hono/zod-openapi';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import { isFinal } from '../../../core/batches/batch.ts';
import { sleep } from '../../../core/async/wait.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { toBatchBody } from './batch-body.ts';
import { batchId } from './schema.ts';

const askEveryMs = 1000;
/** Interval of comment lines, which keep proxies and the idle limit from closing the connection. */
const heartbeatMs = 15_000;
/** Maximum number of event streams of one process, in total and for one account. */
const followersMax = { total: 200, perAccount: 50 };

/** Routes `GET /v1/batches/{id}/events`: the progress of a batch as server-sent events. */
export function routeBatchEvents({ http, guards, services, log, stopping }: Router): void {
  const followers = createFollowers();
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
      headers: z.object({
        'Last-Event-ID': z
          .string()
          .max(100)
          .optional()
          .openapi({ description: 'Id of the last event received.' }),
      }),
    },
    responses: {
      200: { description: 'A stream of events.', content: { 'text/event-stream': { schema: z.string() } } },
      ...problemResponses('get', 'not_found'),
    },
  });
  http.openapi(route, async (c) => {
    const { accountId } = c.var.caller;
    const { id: publicId } = c.req.valid('param');
    await services.batches.store.readSummary(accountId, publicId);
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    const lastId = c.req.header('last-event-id');
    const leave = followers.join(accountId);
    return streamSSE(
      c,
      async (stream) => {
        const gone = new AbortController();
        stream.onAbort(() => gone.abort());
        try {
          await follow(stream, gone.signal, lastId, async () =>
            toBatchBody(await services.batches.store.readSummary(accountId, publicId)),
          );
        } finally {
          leave();
        }
      },
      async (error) =>
        log.warn({ requestId: c.var.requestId, err: error }, 'An event stream of a batch ended.'),
    );
  });

  async function follow(
    stream: SSEStreamingApi,
    gone: AbortSignal,
    lastId: string | undefined,
    read: () => Promise<ReturnType<typeof toBatchBody>>,
  ): Promise<void> {
    let sentId = lastId;
    let sentMs = performance.now();
    // A shutdown of the server ends the stream, too. The client reconnects with its last id.
    while (!gone.aborted && !stopping.aborted) {
      const batch = await read();
      const data = JSON.stringify(batch);
      const id = idOf(data);
      const ended = isFinal(batch.state);
      if (ended || id !== sentId) {
        await stream.writeSSE({ id, event: ended ? 'end' : 'progress', data });
        sentId = id;
        sentMs = performance.now();
      } else if (performance.now() - sentMs > heartbeatMs) {
        await stream.write(': still there\n\n');
        sentMs = performance.now();
      }
      if (ended) return;
      await sleep(askEveryMs, gone).catch(() => undefined);
    }
  }
}

/** Derives the id of an event from its data: the same state of the batch has the same id in every process. */
function idOf(data: string): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16);
}

/** Counts event streams, in total and by account. */
function createFollowers() {
  const accounts = new Map<number, number>();
  let total = 0;

  /** Registers a stream and returns a function that removes it. @throws Problem when there are too many */
  function join(accountId: number): () => void {
    const own = accounts.get(accountId) ?? 0;
    if (own >= followersMax.perAccount)
      throw new Problem('rate_limit_exceeded', {
        titles: [`The account has ${own} event streams open, which is the limit. Close one`],
        headers: { 'Retry-After': '10' },
      });
    if (total >= followersMax.total)
      throw new Problem('service_unavailable', { headers: { 'Retry-After': '10' } });
    total += 1;
    accounts.set(accountId, own + 1);
    return () => {
      total -= 1;
      const left = (accounts.get(accountId) ?? 1) - 1;
      if (left === 0) accounts.delete(accountId);
      else accounts.set(accountId, left);
    };
  }

  return { join };
}
