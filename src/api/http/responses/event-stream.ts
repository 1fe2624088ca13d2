import { createHash } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import { streamSSE, type SSEStreamingApi } from 'hono/streaming';
import { sleep } from '../../../core/async/wait.ts';
import type { ApiContext } from '../api-env.ts';
import { Problem } from '../problem.ts';
import type { Router } from '../router.ts';

const readEveryMs = 1000;
/** Interval of comment lines, which keep proxies and the idle limit from closing the connection. */
const heartbeatMs = 15_000;
/** Interval at which a stream checks that its key or session is still valid. */
const authoriseEveryMs = 5000;

/** Headers of a request for a stream. */
export const eventStreamHeaders = z.object({
  'Last-Event-ID': z.string().max(100).optional().openapi({ description: 'Id of the last event received.' }),
});

/** Response of a stream. */
export const eventStreamResponse = {
  200: { description: 'A stream of events.', content: { 'text/event-stream': { schema: z.string() } } },
};

/** State that a stream sends once it differs from the one before. */
export interface StreamedState {
  /** Name of the event. */
  readonly event: string;
  /** Data of the event, as JSON. */
  readonly data: string;
  /** True for the last event, which is always sent. */
  readonly isLast: boolean;
}

/** Maximum number of open streams of one kind in this process, and the error beyond the total. Beyond the limit of an account: 429. */
export interface StreamLimits {
  readonly total: number;
  readonly perAccount: number;
  readonly beyondTotal: 'rate_limit_exceeded' | 'service_unavailable';
}

/**
 * Streams a state as server-sent events: when the stream opens, and then when the state has changed, at most once per second. The id of an
 * event is derived from its data: the same state has the same id in every process, and Last-Event-ID resumes a stream anywhere.
 *
 * A stream ends after the last event, with its connection, when the server stops, when the state cannot be read, and at most some seconds after
 * its key or session has become invalid, has lost a permission or has changed its account.
 *
 * @throws Problem when there are too many streams.
 */
export type StreamEvents = (c: ApiContext, read: () => Promise<StreamedState>) => Response;

/** Creates the streams of a route. */
export function createEventStreams(
  { log, stopping }: Pick<Router, 'log' | 'stopping'>,
  limits: StreamLimits,
): StreamEvents {
  const streams = createStreamCounter(limits);

  return (c, read) => {
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' });
    const leave = streams.join(c.var.caller.accountId);
    // nginx buffers responses otherwise, events included.
    c.header('X-Accel-Buffering', 'no');
    return streamSSE(c, async (stream) => {
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      try {
        await send(stream, { c, read, ended: AbortSignal.any([gone.signal, stopping]) });
      } catch (error) {
        // Thrown, it would become an event with its message.
        log.warn({ requestId: c.var.requestId, err: error }, 'An event stream ended.');
      } finally {
        leave();
      }
    });
  };
}

async function send(
  stream: SSEStreamingApi,
  {
    c,
    read,
    ended,
  }: {
    readonly c: ApiContext;
    readonly read: () => Promise<StreamedState>;
    readonly ended: AbortSignal;
  },
): Promise<void> {
  let sentId = c.req.header('last-event-id');
  let sentMs = performance.now();
  let authorisedMs = sentMs;
  while (!ended.aborted) {
    const { event, data, isLast } = await read();
    const id = idOf(data);
    if (isLast || id !== sentId) {
      await stream.writeSSE({ id, event, data });
      sentId = id;
      sentMs = performance.now();
    } else if (performance.now() - sentMs > heartbeatMs) {
      await stream.write(': still there\n\n');
      sentMs = performance.now();
    }
    if (isLast) return;
    await sleep(readEveryMs, ended).catch(() => undefined);
    if (performance.now() - authorisedMs > authoriseEveryMs) {
      if (!(await c.var.isStillAuthorised())) return;
      authorisedMs = performance.now();
    }
  }
}

/** Derives the id of an event from its data: the same state has the same id in every process. */
function idOf(data: string): string {
  return createHash('sha256').update(data).digest('hex').slice(0, 16);
}

/** Counts event streams, in total and by account. */
function createStreamCounter({ total: totalMax, perAccount, beyondTotal }: StreamLimits) {
  const accounts = new Map<number, number>();
  let total = 0;

  /** Registers a stream and returns a function that removes it. @throws Problem when there are too many */
  function join(accountId: number): () => void {
    const own = accounts.get(accountId) ?? 0;
    if (own >= perAccount)
      throw new Problem('rate_limit_exceeded', {
        titles: [`The account has ${own} event streams open, which is the limit. Close one`],
        headers: { 'Retry-After': '10' },
      });
    if (total >= totalMax) throw new Problem(beyondTotal, { headers: { 'Retry-After': '10' } });
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
