import { expect, test } from 'vitest';
import { createLiveStream } from '../../../../../../src/console/api/live/live-stream.ts';
import { createTimerClock } from '../../../../../support/browser/timer-clock.ts';

/** A server that the test stops and starts, and a stream to it. Without `random` every delay is the longest one. */
function openStream() {
  const clock = createTimerClock();
  const log: string[] = [];
  const server = { isThere: true, status: 200, requests: 0 };
  let body: ReadableStreamDefaultController<Uint8Array> | null = null;
  let finishSignIn: () => void = () => undefined;

  async function open(signal: AbortSignal): Promise<Response> {
    server.requests += 1;
    if (!server.isThere) throw new TypeError('Failed to fetch');
    if (server.status !== 200) return new Response('{}', { status: server.status });
    const stream = new ReadableStream<Uint8Array>({ start: (controller) => void (body = controller) });
    const own = body;
    signal.addEventListener('abort', () => own?.error(signal.reason));
    return new Response(stream);
  }

  const stream = createLiveStream({
    ...clock,
    open,
    signIn: () => new Promise((resolve) => (finishSignIn = resolve)),
    probe: async () => server.isThere,
    onData: (data) => log.push(data),
    onLost: () => log.push('lost'),
    onBack: () => log.push('back'),
    onPoll: () => log.push('poll'),
    random: () => 1,
  });
  return {
    clock,
    log,
    server,
    stream,
    send: async (data: string) => {
      body?.enqueue(new TextEncoder().encode(data));
      await clock.pass(0);
    },
    /** Ends the stream as a server that stops does, or cuts the connection. */
    close: async () => {
      body?.close();
      await clock.pass(0);
    },
    cut: async () => {
      body?.error(new TypeError('network error'));
      await clock.pass(0);
    },
    signIn: async () => {
      finishSignIn();
      await clock.pass(0);
    },
  };
}

test('a stream reports its data, and opens once', async () => {
  const { clock, log, server, stream, send } = openStream();
  stream.start();
  stream.start();
  await clock.pass(0);
  await send('data: 1\n\n');
  stream.start();
  await send('data: 2\n\n');
  expect([log, server.requests]).toEqual([['1', '2'], 1]);
});

test('a server that stops is lost once, retried after growing delays, and back once it answers', async () => {
  const { clock, log, server, stream, send, cut } = openStream();
  stream.start();
  await clock.pass(0);
  await send('data: 1\n\n');
  server.isThere = false;
  await cut();
  expect(log).toEqual(['1', 'lost']);
  const delays: number[] = [];
  for (let n = 0; n < 5; n += 1) {
    delays.push(clock.delays()[0] ?? 0);
    await clock.pass(delays.at(-1) ?? 0);
  }
  expect(delays).toEqual([1000, 2000, 3000, 4000, 4000]);
  server.isThere = true;
  await clock.pass(4000);
  expect(log).toEqual(['1', 'lost']);
  await send('data: 2\n\n');
  expect(log).toEqual(['1', 'lost', 'back', '2']);
});

test('a stream that the server ends reopens, and nothing is lost', async () => {
  const { clock, log, server, stream, send, close } = openStream();
  stream.start();
  await clock.pass(0);
  await send('data: 1\n\n');
  await close();
  await clock.pass(1000);
  await send('data: 2\n\n');
  expect([log, server.requests]).toEqual([['1', '2'], 2]);
});

test('a cut stream of a server that answers is not lost; one that is cut again and again polls', async () => {
  const { clock, log, server, stream, cut } = openStream();
  stream.start();
  for (let n = 0; n < 3; n += 1) {
    await clock.pass(4000);
    await cut();
  }
  expect(log).toEqual([]);
  await clock.pass(4000);
  await cut();
  expect([log, clock.delays()]).toEqual([['poll'], [15_000]]);
  expect(server.requests).toBe(4);
});

test('a server without room for the stream is polled, and is not lost', async () => {
  const { clock, log, server, stream, send } = openStream();
  server.status = 429;
  stream.start();
  await clock.pass(15_000);
  await clock.pass(15_000);
  expect(log).toEqual(['poll', 'poll', 'poll']);
  server.status = 200;
  await clock.pass(15_000);
  await send('data: 1\n\n');
  expect(log).toEqual(['poll', 'poll', 'poll', '1']);
});

test('an ended session waits for the sign-in, however long, and then goes on', async () => {
  const { clock, log, server, stream, send, signIn } = openStream();
  server.status = 401;
  stream.start();
  await clock.pass(600_000);
  expect([log, server.requests]).toEqual([[], 1]);
  server.status = 200;
  await signIn();
  await send('data: 1\n\n');
  expect(log).toEqual(['1']);
});

test('a stream without heartbeats is lost when the server gives no answer either', async () => {
  const { clock, log, server, stream, send } = openStream();
  stream.start();
  await clock.pass(0);
  for (let n = 0; n < 4; n += 1) {
    await clock.pass(30_000);
    await send(': still there\n\n');
  }
  expect(log).toEqual([]);
  server.isThere = false;
  await clock.pass(39_000);
  expect(log).toEqual([]);
  await clock.pass(1000);
  expect(log).toEqual(['lost']);
});

test('a request without a response counts only if the server gives no answer', async () => {
  const { clock, log, server, stream, send } = openStream();
  stream.start();
  await clock.pass(0);
  await send('data: 1\n\n');
  stream.reportUnanswered();
  await clock.pass(0);
  expect(log).toEqual(['1']);
  server.isThere = false;
  stream.reportUnanswered();
  stream.reportUnanswered();
  await clock.pass(0);
  expect(log).toEqual(['1', 'lost']);
  server.isThere = true;
  await clock.pass(1000);
  await send('data: 2\n\n');
  expect(log).toEqual(['1', 'lost', 'back', '2']);
});

test('a closed stream opens no more until it starts again, at once', async () => {
  const { clock, log, server, stream, send } = openStream();
  stream.start();
  await clock.pass(0);
  stream.stop();
  await clock.pass(60_000);
  server.isThere = false;
  stream.reportUnanswered();
  await clock.pass(60_000);
  expect([log, server.requests, clock.delays()]).toEqual([['lost'], 1, []]);
  server.isThere = true;
  stream.start();
  await clock.pass(0);
  await send('data: 1\n\n');
  expect([log, server.requests]).toEqual([['lost', 'back', '1'], 2]);
});
