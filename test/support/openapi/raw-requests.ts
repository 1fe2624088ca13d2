import fc from 'fast-check';
import type { RawRequest } from './raw-exchange.ts';

const crlf = '\r\n';
const search = '/v1/ads/google-ads-search';
const company = '{"company_domain":"nike.com"}';

/** Bytes that no well-behaved client sends, with a key that has every scope. None of them is a complete request with an effect. */
export function rawRequests(key: string): fc.Arbitrary<RawRequest> {
  return fc.oneof(
    garbage,
    fc
      .constantFrom(...brokenLines)
      .map((line) => refused(`line ${line}`, `${line}${crlf}Host: here${crlf}${crlf}`)),
    overflows(key),
    fc.constantFrom(...brokenHeaders(key)).map((line) => asked(`header ${line}`, ['Host: here', line])),
    fc.constantFrom(...hosts).map((lines) => asked(`host ${lines.join(' and ')}`, lines)),
    lengths(key),
    encodings(key),
    halves(key),
    connectRequests(key),
    olderVersions(key),
    pipelines(key),
  );
}

/** A request whose headers never end: the server has to close it. */
export const unfinished: RawRequest = of('unfinished', `GET /livez HTTP/1.1${crlf}Host: here${crlf}`, {
  answers: 1,
});

function of(
  name: string,
  text: string,
  { answers = null, ends = false }: { readonly answers?: number | null; readonly ends?: boolean } = {},
): RawRequest {
  return { name, parts: [Buffer.from(text, 'latin1')], ends, answers };
}

/** A request that is rejected before it is parsed. */
function refused(name: string, text: string): RawRequest {
  return of(name, text, { answers: 1 });
}

/** A request with a clear end, so that exactly one response follows. */
function asked(name: string, lines: readonly string[], path = '/livez'): RawRequest {
  const head = [`GET ${path} HTTP/1.1`, ...lines, 'Connection: close'].join(crlf);
  return of(name, `${head}${crlf}${crlf}`, { answers: 1 });
}

function post(key: string, lines: readonly string[], body: string, path = search): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: here',
    `X-API-Key: ${key}`,
    'Content-Type: application/json',
    ...lines,
  ];
  return `${head.join(crlf)}${crlf}${crlf}${body}`;
}

const garbage = fc.oneof(
  fc
    .record({ bytes: fc.uint8Array({ minLength: 1, maxLength: 2000 }), ends: fc.boolean() })
    .map(({ bytes, ends }) => ({ name: 'garbage', parts: [Buffer.from(bytes)], ends, answers: null })),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 200 }), fc.constantFrom(crlf, '\n', '\r', '\0'))
    .map(([text, end]) => of('garbage line', `${text}${end}${text}${end}${end}`)),
  fc.constant(refused('TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03')),
  fc.constant(refused('HTTP/2', `PRI * HTTP/2.0${crlf}${crlf}SM${crlf}${crlf}`)),
);

const brokenLines = [
  'GET',
  'GET /livez',
  'GET /livez HTTP/9.9',
  'GET /livez HTTP/1',
  'GET /livez HTTP/1.10',
  'GET /livez HTTPS/1.1',
  'get /livez HTTP/1.1',
  'NOTHING /livez HTTP/1.1',
  'GET livez HTTP/1.1',
  'GET /li vez HTTP/1.1',
  'GET /\0 HTTP/1.1',
  'GET /\x7f HTTP/1.1',
  ' GET /livez HTTP/1.1',
  'GET\t/livez\tHTTP/1.1',
  'GET ?limit=1 HTTP/1.1',
  'GET * HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'GET //evil.example/x HTTP/1.1',
  'GET http://[::1/livez HTTP/1.1',
  'GET http:// HTTP/1.1',
  'GET http://evil.example/nothing HTTP/1.1',
  'GET ftp://evil.example/nothing HTTP/1.1',
  'GET /%00%ff%zz HTTP/1.1',
  'GET /\xff\xfe HTTP/1.1',
  'TRACE /livez HTTP/1.1',
  'TRACK /livez HTTP/1.1',
];

function overflows(key: string): fc.Arbitrary<RawRequest> {
  return fc.constantFrom(
    refused(
      'one header of 20 KiB',
      `GET /livez HTTP/1.1${crlf}Host: here${crlf}A: ${'a'.repeat(20 * 1024)}${crlf}${crlf}`,
    ),
    refused(
      'many headers',
      `GET /livez HTTP/1.1${crlf}Host: here${crlf}${`a: b${crlf}`.repeat(4000)}${crlf}`,
    ),
    refused('path of 20 KiB', `GET /${'a'.repeat(20 * 1024)} HTTP/1.1${crlf}Host: here${crlf}${crlf}`),
    refused(
      'header name of 20 KiB',
      `GET /livez HTTP/1.1${crlf}Host: here${crlf}${'a'.repeat(20 * 1024)}: b${crlf}${crlf}`,
    ),
    of(
      'headers of 200 KiB',
      `GET /livez HTTP/1.1${crlf}Host: here${crlf}A: ${'a'.repeat(200 * 1024)}${crlf}${crlf}`,
    ),
    of(
      'headers that never end',
      `GET /livez HTTP/1.1${crlf}X-API-Key: ${key}${crlf}${`a: b${crlf}`.repeat(8000)}`,
    ),
  );
}

function brokenHeaders(key: string): readonly string[] {
  return [
    `X-API-Key : ${key}`,
    ' : x',
    ': x',
    'no colon',
    'a b: c',
    'A: b\0c',
    'A: b\rc',
    'A: b\n c',
    ' folded: from the start',
    'A:',
    'é: x',
    'A: \x7f',
    `X-API-Key: ${key}${crlf}X-API-Key: ${key}`,
    `X-API-Key:${crlf} ${key}`,
    'Connection: close, close, x',
    'Content-Type: \xff\xfe',
    'Cookie: a=\x01',
    'Content-Length: 0',
  ];
}

const hosts = [
  [],
  ['Host:'],
  ['Host: here', 'Host: there'],
  ['Host: here', 'Host: here'],
  ['Host: evil.example'],
  ['Host: here:99999999'],
  ['Host: [::1'],
  ['Host: a b'],
  ['Host: /'],
  ['Host: user@evil.example'],
  ['Host: evil.example/errors?'],
  ['Host: %00'],
  ['Host: \xff'],
  ['Host: here, there'],
] as const;

function lengths(key: string): fc.Arbitrary<RawRequest> {
  const values = [
    '-1',
    '+5',
    '0x5',
    '5, 5',
    '5 5',
    'x',
    '',
    '1e3',
    '99999999999999999999',
    '18446744073709551616',
    '٣',
  ];
  const broken = fc
    .constantFrom(...values)
    .map((value) => of(`length ${value}`, post(key, [`Content-Length: ${value}`], company), { ends: true }));
  const two = of('two lengths', post(key, ['Content-Length: 2', 'Content-Length: 29'], company), {
    answers: 1,
  });
  const short = of('length too long, then the end', post(key, ['Content-Length: 500'], company), {
    ends: true,
  });
  const cut = refused('length too short', post(key, ['Content-Length: 5'], company));
  const tooMuch = of('length of 70 KiB, nothing sent', post(key, ['Content-Length: 71680'], ''), {
    answers: 1,
  });
  return fc.oneof(broken, fc.constantFrom(two, short, cut, tooMuch));
}

function encodings(key: string): fc.Arbitrary<RawRequest> {
  const chunk = `1d${crlf}${company}${crlf}`;
  const whole = `${chunk}0${crlf}${crlf}`;
  const chunked = 'Transfer-Encoding: chunked';
  const smuggled = post(key, ['Content-Length: 29'], company);
  return fc.constantFrom(
    of('chunked and length', post(key, [chunked, 'Content-Length: 29'], whole), { answers: 1 }),
    of(
      'length, chunked and a second request',
      post(key, ['Content-Length: 5', chunked], `0${crlf}${crlf}${smuggled}`),
      {
        answers: 1,
      },
    ),
    ...[
      'gzip',
      'identity',
      'xchunked',
      'chunked, gzip',
      'chunked, identity',
      '\x0bchunked',
      'chunked\x0b',
      '"chunked"',
    ].map((coding) =>
      of(`coding ${coding}`, post(key, [`Transfer-Encoding: ${coding}`], whole), { ends: true }),
    ),
    ...['zz', '-1', 'FFFFFFFFFFFFFFFFFF', '0x1d', '1d;', ' 1d', ''].map((size) =>
      of(`chunk of ${size}`, post(key, [chunked], `${size}${crlf}${company}x`), { ends: true }),
    ),
    of('chunks without an end', post(key, [chunked], chunk), { ends: true }),
    of('chunk too short', post(key, [chunked], `1c${crlf}${company}${crlf}0${crlf}${crlf}`)),
    of('chunk with a long extension', post(key, [chunked], `1d;${'a'.repeat(20_000)}${crlf}${company}`)),
    of('chunks of 70 KiB', post(key, [chunked], `11800${crlf}${' '.repeat(71_680)}${crlf}0${crlf}${crlf}`), {
      answers: 1,
    }),
    of(
      'trailer too large',
      post(key, [chunked], `1d${crlf}${company}${crlf}0${crlf}A: ${'a'.repeat(20_000)}`),
    ),
    of('coding of HTTP/1.0', post(key, [chunked], `zz${crlf}`).replace('HTTP/1.1', 'HTTP/1.0'), {
      ends: true,
    }),
  );
}

/** A request that stops before its last byte, followed by silence or the end of the connection. */
function halves(key: string): fc.Arbitrary<RawRequest> {
  const whole = post(key, [`Content-Length: ${company.length}`, 'Idempotency-Key: half'], company);
  return fc
    .record({ at: fc.integer({ min: 1, max: whole.length - 1 }), ends: fc.boolean(), middle: fc.nat() })
    .map(({ at, ends, middle }) => {
      const half = Buffer.from(whole.slice(0, at), 'latin1');
      const parts = [half.subarray(0, middle % at), half.subarray(middle % at)].filter(
        (part) => part.length > 0,
      );
      return { name: `half of it${ends ? ', then the end' : ''}`, parts, ends, answers: null };
    });
}

function connectRequests(key: string): fc.Arbitrary<RawRequest> {
  const upgrade = (to: string) => [
    'Host: here',
    `X-API-Key: ${key}`,
    'Connection: Upgrade, close',
    `Upgrade: ${to}`,
  ];
  const ask = (name: string, lines: readonly string[], path: string) =>
    of(name, `GET ${path} HTTP/1.1${crlf}${lines.join(crlf)}${crlf}${crlf}`, { answers: 1 });
  return fc.constantFrom(
    refused('CONNECT', `CONNECT evil.example:443 HTTP/1.1${crlf}Host: evil.example${crlf}${crlf}`),
    refused('CONNECT to a path', `CONNECT /livez HTTP/1.1${crlf}Host: here${crlf}${crlf}`),
    refused(
      'CONNECT and more',
      `CONNECT here:80 HTTP/1.1${crlf}Host: here${crlf}${crlf}GET /livez HTTP/1.1${crlf}${crlf}`,
    ),
    ask('upgrade to a web socket', [...upgrade('websocket'), 'Sec-WebSocket-Version: 13'], '/v1/credits'),
    ask('upgrade to HTTP/2', [...upgrade('h2c'), 'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA'], '/livez'),
    ask('upgrade to anything', upgrade('\xff'), '/nothing'),
    ...['100-continue', '100-Continue', '200-ok', '', 'x'.repeat(500)].map((expectation) =>
      of(`Expect: ${expectation}`, post(key, [`Expect: ${expectation}`, 'Content-Length: 2'], '{}'), {
        answers: 1,
      }),
    ),
    asked('Expect without a body', ['Host: here', 'Expect: 100-continue'], '/v1/credits'),
  );
}

function olderVersions(key: string): fc.Arbitrary<RawRequest> {
  const lines = [`X-API-Key: ${key}`];
  return fc.constantFrom(
    of('HTTP/1.0', `GET /livez HTTP/1.0${crlf}${crlf}`, { answers: 1 }),
    of(
      'HTTP/1.0 with a key',
      `GET /v1/credits HTTP/1.0${crlf}${[...lines, 'Host: x'].join(crlf)}${crlf}${crlf}`,
      { answers: 1 },
    ),
    of(
      'HTTP/1.0 kept alive',
      `GET /nothing HTTP/1.0${crlf}Connection: keep-alive${crlf}Host: x${crlf}${crlf}`,
      { answers: 1 },
    ),
    of('HTTP/0.9', `GET /livez${crlf}`, { ends: true }),
    of('line feeds alone', 'GET /livez HTTP/1.1\nHost: here\n\n', { answers: 1 }),
    of('blank lines first', `${crlf}${crlf}GET /livez HTTP/1.1${crlf}Host: here${crlf}${crlf}`, {
      answers: 1,
    }),
  );
}

/** Valid requests in one write, followed by arbitrary bytes. */
function pipelines(key: string): fc.Arbitrary<RawRequest> {
  const good = fc.constantFrom(
    '/livez',
    '/nothing',
    '/v1/batches?limit=0',
    '/v1/credits',
    '/errors/not_found',
  );
  return fc
    .tuple(
      fc.array(good, { minLength: 1, maxLength: 6 }),
      fc.constantFrom('', 'GARBAGE\r\n\r\n', 'POST / HTTP/1.1\r\nContent-Length: x\r\n\r\n'),
    )
    .map(([paths, tail]) => {
      const requests = paths.map(
        (path) => `GET ${path} HTTP/1.1${crlf}Host: here${crlf}X-API-Key: ${key}${crlf}${crlf}`,
      );
      return of(
        `pipeline of ${paths.join(', ')}${tail === '' ? '' : ' and garbage'}`,
        `${requests.join('')}${tail}`,
        {
          answers: tail === '' ? paths.length : null,
        },
      );
    });
}
