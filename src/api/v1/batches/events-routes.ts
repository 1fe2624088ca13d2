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
/** A line that says nothing keeps proxies and the connection's own limit from taking the silence for death. */
const heartbeatMs = 15_000;
/** Connections that one process follows batches for at a time, and for one account. */
const followersMax = { total: 200, perAccount: 50 };

/** `GET /v1/batches/{id}/events`: how a batch goes on, as server-sent events. */
export function routeBatchEvents({ http, guards, services, log, stopping }: Router): void {
  const followers = createFollowers();
  const route = createRoute({
    method: 'get',
    path: '/v1/batches/{id}/events',
    summary: 'Follow a batch',
    description: `Server-sent events. \`progress\` comes whenever the batch has changed, at most once a second; its data are the batch, so that
nothing is lost between two of them. \`end\` comes when the batch is finished or cancelled, and the connection ends. With Last-Event-ID one
goes on where one stopped: what was told already is not told again.`,
    tags: ['Batches'],
    middleware: guards.read('batches:read'),
    request: {
      params: batchId,
      headers: z.object({
        'Last-Event-ID': z
          .string()
          .max(100)
          .optional()
          .openapi({ description: 'The id of the last event that arrived.' }),
      }),
    },
    responses: {
      200: { description: 'Events.', content: { 'text/event-stream': { schema: z.string() } } },
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
      async (error) => log.warn({ requestId: c.var.requestId, err: error }, 'Following a batch ended.'),
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
    // The server's stop ends the stream as well; the client comes back with the id that it has.
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

/** An event is what the batch looks like: the same look has the same id, in every process. */
function idOf(data: string): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16);
}

/** Counts who follows, of all accounts and of each. */
function createFollowers() {
  const accounts = new Map<number, number>();
  let total = 0;

  /** @throws Problem when there are too many. */
  function join(accountId: number): () => void {
    const own = accounts.get(accountId) ?? 0;
    if (own >= followersMax.perAccount)
      throw new Problem('rate_limit_exceeded', {
        titles: [`The account follows batches on ${own} connections; close one`],
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
