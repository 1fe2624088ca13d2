import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import {
  createHttpClient,
  parseJson,
  type HttpAnswer,
  type HttpRequest,
} from '../../../src/adapters/http/http.ts';
import { EnrichError, SourceRefused, SourceUnreadable } from '../../../src/core/errors.ts';
import { listenOnLoopback } from '../../support/stand-in/loopback.ts';

const client = createHttpClient({ allowedHosts: ['127.0.0.1'] });
afterAll(() => client.close());

interface Asking extends Partial<HttpRequest> {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly bodyBytesMax?: number;
}

function send(address: string, asking: Asking = {}) {
  const {
    signal = new AbortController().signal,
    deadlineMs = 10_000,
    bodyBytesMax = 1_000_000,
    ...rest
  } = asking;
  return client.send(new URL(address), { method: 'GET', ...rest }, { signal, deadlineMs, bodyBytesMax });
}

async function serve(listener: RequestListener): Promise<string> {
  const server = await listenOnLoopback(createServer(listener));
  onTestFinished(server.close);
  return server.url;
}

/** A raw TCP server without HTTP. */
async function serveRaw(talk: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => undefined));
    talk(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function ask(listener: RequestListener, asking: Asking = {}) {
  return send(await serve(listener), asking);
}

async function errorOf(outcome: Promise<unknown>): Promise<EnrichError> {
  const error: unknown = await outcome.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof EnrichError) return error;
  throw new Error('no expected error was thrown', { cause: error });
}

/** Writes as long as the client reads. */
function writeEndlessly(response: ServerResponse): void {
  const chunk = 'x'.repeat(64 * 1024);
  const more = () => void (response.write(chunk, more) && response.destroyed);
  more();
}

describe('request', () => {
  /** Request as received by the server. */
  async function seen(asking: Asking) {
    let received = {};
    await ask((request, response) => {
      const { method, url, headers } = request;
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        received = { method, url, type: headers['content-type'], key: headers['x-key'], body };
        response.end();
      });
    }, asking);
    return received;
  }

  test('has JSON, a form or no body, with the given headers', async () => {
    const headers = { 'X-Key': 'k' };
    expect(await seen({ method: 'POST', headers, json: { a: ['ü'] } })).toMatchObject({
      method: 'POST',
      type: 'application/json',
      key: 'k',
      body: '{"a":["ü"]}',
    });
    expect(await seen({ method: 'POST', form: { 'f.req': '{"a":1}', b: 'x y&z' } })).toMatchObject({
      type: 'application/x-www-form-urlencoded',
      body: 'f.req=%7B%22a%22%3A1%7D&b=x+y%26z',
    });
    expect(await seen({ headers })).toMatchObject({ method: 'GET', type: undefined, key: 'k', body: '' });
  });

  test('has the content type of the caller', async () => {
    const headers = { 'Content-Type': 'application/json+special' };
    expect(await seen({ method: 'POST', headers, json: 1 })).toMatchObject({
      type: 'application/json+special',
    });
  });

  test.each<[string, Asking]>([
    ['http://jane:hunter2@127.0.0.1/', {}],
    ['http://hunter2@127.0.0.1/', {}],
    ['ftp://127.0.0.1/?hunter2', {}],
    ['data:text/plain,hunter2', {}],
    ['http://127.0.0.1:1/?hunter2', {}],
    ['http://127.0.0.1/', { headers: { 'x-key': 'hunter2\n' } }],
    ['http://127.0.0.1/', { headers: { 'x-key': 'hunter2\u2026' } }],
  ])('that is invalid is misconfigured, without quoting it: %s %j', async (address, asking) => {
    const error = await errorOf(send(address, asking));
    expect(error.code).toBe('misconfigured');
    if (!address.startsWith('data:')) expect(inspect(error)).not.toContain('hunter2');
  });
});

describe('response with 2xx', () => {
  test('has its text and rate limit', async () => {
    const reply = await ask((_request, response) => {
      response.writeHead(201, { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' }).end('für');
    });
    const allowance = { limit: 60, remaining: 59, windowMs: null, resetMs: null };
    expect(reply).toEqual({ text: 'für', allowance });
    expect(await ask((_request, response) => void response.writeHead(204).end())).toEqual({
      text: '',
      allowance: null,
    });
  });

  test('is decoded as UTF-8, wherever it is split', async () => {
    const bytes = Buffer.from('a – 漢 – 🌙');
    const reply = await ask((_request, response) => {
      const writeFrom = (at: number): void => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, at + 1), () => writeFrom(at + 1));
      };
      writeFrom(0);
    });
    expect(reply.text).toBe('a – 漢 – 🌙');
  });

  test.each([
    ['gzip', gzipSync('packed')],
    ['br', brotliCompressSync('packed')],
  ])('is decompressed from %s', async (encoding, packed) => {
    const headers = { 'content-encoding': encoding };
    expect(await ask((_request, response) => response.writeHead(200, headers).end(packed))).toMatchObject({
      text: 'packed',
    });
  });

  test('is read up to the limit, and not one byte beyond', async () => {
    const listener: RequestListener = (_request, response) => response.end('x'.repeat(1000));
    expect((await ask(listener, { bodyBytesMax: 1000 })).text).toHaveLength(1000);
    const error = await errorOf(ask(listener, { bodyBytesMax: 999 }));
    expect([error.code, error.message]).toEqual([
      'source_unreadable',
      expect.stringContaining('answered more than 999 bytes'),
    ]);
  });

  test('that does not end is aborted with its connection', async () => {
    let closed: Promise<unknown> = Promise.resolve();
    const error = await errorOf(
      ask((_request, response) => {
        closed = once(response, 'close');
        writeEndlessly(response);
      }),
    );
    expect(error.message).toContain('more than 1000000 bytes');
    await closed;
  });

  test('that exceeds the limit when decompressed is aborted', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    for (const [encoding, body] of [
      ['gzip', bomb],
      ['gzip, gzip', gzipSync(bomb)],
    ] as const) {
      const headers = { 'content-encoding': encoding };
      const error = await errorOf(ask((_request, response) => response.writeHead(200, headers).end(body)));
      expect(error.message).toContain('more than 1000000 bytes');
    }
  });
});

describe('response without 2xx', () => {
  test.each<[number, Record<string, string>, object]>([
    [429, {}, { code: 'source_throttled', retry: { kind: 'backoff' } }],
    [429, { 'retry-after': '7' }, { code: 'source_throttled', retry: { kind: 'after', delayMs: 7000 } }],
    [
      429,
      {
        'ratelimit-limit': '30',
        'ratelimit-policy': '30;w=60',
        'ratelimit-remaining': '0',
        'ratelimit-reset': '9',
      },
      {
        retry: { kind: 'after', delayMs: 9000 },
        allowance: { limit: 30, windowMs: 60_000, remaining: null, resetMs: null },
      },
    ],
    [
      429,
      { 'retry-after': '7', 'x-ratelimit-reset': '9', 'x-ratelimit-limit': '30' },
      { retry: { kind: 'after', delayMs: 7000 } },
    ],
    [
      429,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '86400' },
      { retry: { kind: 'after', delayMs: 3_600_000 } },
    ],
    [408, {}, { code: 'source_unavailable', inDoubt: false }],
    [503, { 'retry-after': '7' }, { code: 'source_throttled', retry: { kind: 'after', delayMs: 7000 } }],
    [503, {}, { code: 'source_unavailable', inDoubt: false }],
    [500, {}, { code: 'source_unavailable', inDoubt: false }],
    [502, {}, { code: 'source_unavailable', inDoubt: true }],
    [504, {}, { code: 'source_unavailable', inDoubt: true }],
    [400, {}, { code: 'source_refused', status: 400 }],
    [401, {}, { code: 'source_refused', status: 401 }],
    [403, {}, { code: 'source_refused', status: 403 }],
    [304, {}, { code: 'source_unreadable' }],
  ])('%i %j has its own error, without its body', async (status, headers, expected) => {
    const error = await errorOf(
      ask((_request, response) => response.writeHead(status, headers).end('chatter')),
    );
    expect(error).toMatchObject(expected);
    expect(error.message).toContain(`answered ${status}`);
    expect(inspect(error)).not.toContain('chatter');
  });

  test('that redirects is not followed, and its target is not in the error', async () => {
    const target = await listenOnLoopback(createServer((_request, response) => response.end('inside')));
    onTestFinished(target.close);
    for (const status of [301, 302, 303, 307, 308]) {
      const location = `${target.url}/?key=hunter2`;
      const error = await errorOf(
        ask((_request, response) => response.writeHead(status, { location }).end()),
      );
      expect([error.code, error.message]).toEqual([
        'source_unreadable',
        expect.stringContaining(`${status}`),
      ]);
      expect(inspect(error)).not.toContain('hunter2');
    }
    expect(target.connections()).toBe(0);
  });
});

describe('evaluator of responses', () => {
  const wall = new SourceRefused('a wall', { status: 403 });

  /** Reply as passed to an evaluator that accepts it. */
  async function shown(listener: RequestListener, asking: Asking = {}) {
    const answers: HttpAnswer[] = [];
    const evaluate = (answer: HttpAnswer) => (answers.push(answer), null);
    const outcome = await ask(listener, { ...asking, evaluate }).catch((thrown: unknown) => thrown);
    expect(answers).toHaveLength(1);
    return { answer: answers[0], outcome };
  }

  test('can override the error of any response', async () => {
    for (const status of [200, 302, 403, 429, 500]) {
      const outcome = ask((_request, response) => response.writeHead(status).end(), { evaluate: () => wall });
      expect(await errorOf(outcome)).toBe(wall);
    }
  });

  test('gets status, location, retry delay and text', async () => {
    const location = 'https://www.google.com/sorry/index?q=1';
    const { answer, outcome } = await shown((_request, response) => {
      response.writeHead(302, { location, 'retry-after': '7' }).end('unusual traffic');
    });
    expect(answer).toEqual({ status: 302, location, retryAfterMs: 7000, text: 'unusual traffic' });
    expect(outcome).toBeInstanceOf(SourceUnreadable);
    const good = await shown((_request, response) => response.end('{}'));
    expect([good.answer, good.outcome]).toMatchObject([
      { status: 200, location: null, retryAfterMs: null, text: '{}' },
      { text: '{}', allowance: null },
    ]);
  });

  test('gets 64 KiB of an error page that does not end', async () => {
    const { answer, outcome } = await shown((_request, response) => {
      response.writeHead(403);
      writeEndlessly(response);
    });
    expect(answer?.text).toBe('x'.repeat(65_536));
    expect(outcome).toMatchObject({ code: 'source_refused', status: 403 });
  });

  test.each<[string, (response: ServerResponse) => void]>([
    ['cut off', (response) => void response.write('sorry', () => response.destroy())],
    ['late', (response) => void response.write('sorry')],
  ])('gets the received part of an error page that is %s, with its status', async (_what, end) => {
    const listener: RequestListener = (_request, response) => end(response.writeHead(500));
    const { answer, outcome } = await shown(listener, { deadlineMs: 1_000 });
    expect(answer).toMatchObject({ status: 500, text: 'sorry' });
    expect(outcome).toMatchObject({ code: 'source_unavailable', inDoubt: false });
  });

  test('is not called after the caller has aborted', async () => {
    const caller = new AbortController();
    const reason = new Error('the worker stops');
    const listener: RequestListener = (_request, response) =>
      void response.writeHead(500).write('sorry', () => setTimeout(() => caller.abort(reason), 50));
    await expect(ask(listener, { signal: caller.signal, evaluate: () => wall })).rejects.toBe(reason);
  });

  test('that throws is a defect', async () => {
    const defect = new RangeError('oops');
    const evaluate = () => {
      throw defect;
    };
    await expect(ask((_request, response) => response.end(), { evaluate })).rejects.toBe(defect);
  });
});

describe('call without a response', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['before the response', (socket) => socket.once('data', () => socket.destroy())],
    [
      'in the middle of the response',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf')),
    ],
    [
      'by a response that is not HTTP',
      (socket) => socket.once('data', () => socket.end('220 mail.example ESMTP\r\n')),
    ],
    [
      'by endless headers',
      (socket) =>
        socket.once('data', () => socket.write(`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(10_000)}`)),
    ],
  ])('that was interrupted %s may have been executed', async (_what, talk) => {
    const error = await errorOf(send(`http://${await serveRaw(talk)}/`));
    expect(error).toMatchObject({ code: 'source_unavailable', inDoubt: true });
    expect(error.message).toContain('was cut off in the middle');
  });

  test.each<[string, () => Promise<string>]>([
    ['at a closed port', async () => (await closedServer()) + '/'],
    ['at an unknown host', async () => 'http://absent.invalid/'],
    [
      'in an interrupted TLS handshake',
      async () => `https://${await serveRaw((socket) => socket.destroy())}/`,
    ],
    [
      'at a server without TLS',
      async () => `https://${await serveRaw((socket) => socket.end('220 no TLS\r\n'))}/`,
    ],
  ])('that failed %s was not sent', async (_what, address) => {
    const error = await errorOf(send(await address()));
    expect(error).toMatchObject({ code: 'source_unavailable', inDoubt: false });
    expect(error.message).toContain('cannot be reached');
  });

  async function closedServer(): Promise<string> {
    const server = await listenOnLoopback(createServer());
    await server.close();
    return server.url;
  }

  test.each<[string, (socket: Socket) => void]>([
    ['sends nothing', () => undefined],
    ['sends its headers slowly', (socket) => drip(socket, 'HTTP/1.1 200 OK\r\n', 'X-A: b\r\n')],
    [
      'sends its body slowly',
      (socket) => drip(socket, 'HTTP/1.1 200 OK\r\nContent-Length: 99999\r\n\r\n', 'x'),
    ],
  ])('within the deadline from a server that %s is aborted, and counts as sent', async (_what, talk) => {
    const url = `http://${await serveRaw(talk)}/`;
    const error = await errorOf(send(url, { deadlineMs: 200 }));
    expect(error).toMatchObject({ code: 'source_unavailable', inDoubt: true });
    expect(error.message).toContain('gave no full answer within 200 ms');
  });

  function drip(socket: Socket, first: string, next: string): void {
    socket.write(first);
    const timer = setInterval(() => socket.write(next), 20);
    socket.once('close', () => clearInterval(timer));
  }

  test.each<[string, RequestListener]>([
    ['before the response', () => undefined],
    ['in the middle of the response', (_request, response) => void response.write('half')],
  ])('ends with the reason of a caller who aborts it %s', async (_what, listener) => {
    const caller = new AbortController();
    const reason = new Error('the worker stops');
    const outcome = ask(
      (request, response) => {
        listener(request, response);
        setTimeout(() => caller.abort(reason), 20);
      },
      { signal: caller.signal },
    );
    await expect(outcome).rejects.toBe(reason);
    const late = await serve(() => expect.fail('was called'));
    await expect(send(late, { signal: caller.signal })).rejects.toBe(reason);
  });
});

describe('HTTP client', () => {
  test('reuses connections', async () => {
    const server = await listenOnLoopback(createServer((_request, response) => response.end('x')));
    onTestFinished(server.close);
    for (let n = 0; n < 30; n += 1) await send(server.url);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });

  test('continues after responses that were aborted, rejected or interrupted', async () => {
    const failures: readonly ((response: ServerResponse) => void)[] = [
      (response) => writeEndlessly(response),
      (response) => response.writeHead(500).end('no'),
      (response) => response.destroy(),
    ];
    const url = await serve(({ url = '' }, response) => {
      const failure = failures[Number(url.slice(1))];
      if (failure === undefined) response.end('fine');
      else failure(response);
    });
    for (let n = 0; n < 12; n += 1) await errorOf(send(`${url}/${n % 3}`));
    expect((await send(`${url}/fine`)).text).toBe('fine');
  });

  test('makes many concurrent calls with one signal without a warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const url = await serve((_request, response) => response.end('x'));
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 40 }, () => send(url, { signal })));
    expect(warnings).toEqual([]);
  });

  test('finishes running calls when it is closed, and rejects further ones', async () => {
    const own = createHttpClient({ allowedHosts: ['127.0.0.1'] });
    const bounds = { signal: new AbortController().signal, deadlineMs: 10_000, bodyBytesMax: 1_000 };
    let closed = Promise.resolve();
    const url = await serve((_request, response) => {
      closed = own.close();
      response.end('last');
    });
    expect(await own.send(new URL(url), { method: 'GET' }, bounds)).toMatchObject({ text: 'last' });
    await closed;
    await expect(own.send(new URL(url), { method: 'GET' }, bounds)).rejects.toThrow('after it was closed');
  });

  test('has no secrets of headers, queries or bodies in its errors', async () => {
    const secret = 'hunter2';
    const request: HttpRequest = {
      method: 'POST',
      headers: { 'x-api-key': secret, cookie: secret },
      json: { key: secret },
    };
    const listeners: readonly RequestListener[] = [
      (_request, response) => response.destroy(),
      (_request, response) => void response.write('x', () => response.destroy()),
      (_request, response) => writeEndlessly(response),
      () => undefined,
      ...[302, 401, 429, 500].map((status): RequestListener => (_request, response) => {
        response.writeHead(status, { location: `/?${secret}` }).end(secret);
      }),
    ];
    const urls = await Promise.all(listeners.map(serve));
    for (const url of [...urls, 'http://nobody.invalid', 'http://10.0.0.1', 'http://127.0.0.1:1']) {
      const error = await errorOf(
        send(`${url}/path?key=${secret}#${secret}`, { ...request, deadlineMs: 300 }),
      );
      expect(error.message).toContain('POST ');
      expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret);
    }
  });
});

test('invalid JSON is unreadable, with its position in the error', () => {
  expect(parseJson('{"a":1}', 'GET ads.example/')).toEqual({ a: 1 });
  expect(() => parseJson('<html>', 'GET ads.example/')).toThrow(SourceUnreadable);
  expect(() => parseJson('', 'GET ads.example/')).toThrow(
    'GET ads.example/ answered something that is not JSON',
  );
});
