import fc from 'fast-check';
import type { AnswerCheck } from './answer-check.ts';
import { brokenBodies, type BrokenBody } from './broken-bodies.ts';
import { nameOf, type Document, type Operation, type Parameter } from './document.ts';
import { anyText, valuesOf } from './schema-values.ts';
import type { PlainRequest } from './send-request.ts';
import { isFileType } from '../../../src/api/http/read-json.ts';

/** A generated request for an operation. */
export interface GeneratedRequest extends PlainRequest {
  readonly operation: Operation;
  /** Description of the deliberate damage; null for a request as documented. */
  readonly broken: string | null;
  /** Required status, for requests with only one correct response. */
  readonly expected: readonly number[] | null;
  /** True if the request may reach no operation, or another one. */
  readonly isMalformed: boolean;
}

/** Prefixes of ids. */
export type IdKind = 'ad' | 'bat' | 'key' | 'rpl' | 'sch' | 'whk';

/** Values for generated requests. */
export interface Material {
  readonly document: Document;
  readonly check: AnswerCheck;
  /** A key with every scope. */
  readonly key: string;
  /** Headers of a console request in an operator's session. */
  readonly session: Readonly<Record<string, string>>;
  /** Invalid keys: revoked, expired, or never created. */
  readonly badKeys: readonly string[];
  /** A key without the scope of any guarded operation. */
  readonly poorKey: string;
  /** Session of a user who is not an operator. */
  readonly poorSession: Readonly<Record<string, string>>;
  /** Existing ids by prefix. */
  readonly ids: Readonly<Record<IdKind, readonly string[]>>;
}

/** Requests that the schemas of an operation allow. */
export function validRequests(operation: Operation, material: Material): fc.Arbitrary<GeneratedRequest> {
  return fc
    .record({
      path: pathsOf(operation, material),
      query: queriesOf(operation, material),
      headers: headersOf(operation, material),
      content: contentsOf(operation, material),
    })
    .map(({ path, query, headers, content }) => ({
      operation,
      method: operation.method,
      path: `${path}${query}`,
      headers: {
        ...headers,
        ...credentialsOf(operation, material),
        ...content.headers,
      },
      body: content.body,
      broken: null,
      expected: null,
      isMalformed: false,
    }));
}

function credentialsOf(
  { isGuarded, isOfSession }: Operation,
  { key, session }: Material,
): Readonly<Record<string, string>> {
  if (isOfSession) return session;
  return isGuarded ? { 'X-API-Key': key } : {};
}

/** Requests of an operation with one error: in the key or the session, the method, the path, the query, a header, or the body. */
export function brokenRequests(operation: Operation, material: Material): fc.Arbitrary<GeneratedRequest> {
  const valid = validRequests(operation, material);
  const kinds = [
    ...(operation.isGuarded ? [withBadKey(valid, material)] : []),
    ...(operation.isOfSession ? [withBadSession(valid, material)] : []),
    withOtherMethod(operation, valid, material),
    withJunkPath(valid),
    withJunkQuery(valid),
    withOddHeaders(valid),
    ...(operation.reported.requestBody !== undefined
      ? [withBrokenBody(operation, valid, material)]
      : [withNeedlessBody(valid)]),
  ];
  // Bodies can be invalid in the most ways.
  const weights = kinds.map((arbitrary, i) => ({ arbitrary, weight: i === kinds.length - 1 ? 4 : 1 }));
  return fc.oneof(...weights);
}

function withBadKey(
  valid: fc.Arbitrary<GeneratedRequest>,
  { badKeys, poorKey, key }: Material,
): fc.Arbitrary<GeneratedRequest> {
  const refused = fc.oneof(
    fc.constant({ headers: { 'X-API-Key': poorKey }, expected: [403] }),
    fc
      .oneof(
        fc.constant<GeneratedRequest['headers']>({}),
        fc.constantFrom(...badKeys, key.toLowerCase(), `${key}x`, '').map((bad) => ({ 'X-API-Key': bad })),
        headerText.map((bad) => ({ 'X-API-Key': bad })),
        fc.constant({ 'X-API-Key': [key, key] }),
        fc.constantFrom(`Bearer ${key}`, key).map((bearer) => ({ Authorization: bearer })),
        fc.constant({ Cookie: `X-API-Key=${key}` }),
      )
      .map((headers) => ({ headers, expected: [401] })),
  );
  return fc.tuple(valid, refused).map(([request, { headers, expected }]) => ({
    ...request,
    headers: { ...without(request.headers, 'x-api-key'), ...headers },
    broken: 'key',
    expected,
  }));
}

function withBadSession(
  valid: fc.Arbitrary<GeneratedRequest>,
  { session, poorSession, key }: Material,
): fc.Arbitrary<GeneratedRequest> {
  const { Cookie: cookie = '' } = session;
  const refused = fc.oneof(
    fc
      .constantFrom(
        poorSession,
        { ...session, 'Sec-Fetch-Site': 'cross-site' },
        { ...session, 'Sec-Fetch-Site': 'same-site' },
        { 'X-API-Key': key },
        { ...session, 'X-API-Key': key },
      )
      .map((headers) => ({ headers, expected: [403] })),
    fc
      .oneof(
        fc.constant<GeneratedRequest['headers']>({}),
        fc
          .constantFrom(cookie.toLowerCase(), `${cookie}x`, cookie.replace(/=.*/, '='), `X${cookie}`, '')
          .map((bad) => ({ ...session, Cookie: bad })),
        headerText.map((bad) => ({ ...session, Cookie: bad })),
        fc.constant({ Authorization: cookie }),
      )
      .map((headers) => ({ headers, expected: [401] })),
  );
  return fc.tuple(valid, refused).map(([request, { headers, expected }]) => ({
    ...request,
    headers: { ...Object.keys(session).reduce(without, request.headers), ...headers },
    broken: 'session',
    expected,
  }));
}

const methods = [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'REPORT',
  'M-SEARCH',
  'PURGE',
];

function withOtherMethod(
  operation: Operation,
  valid: fc.Arbitrary<GeneratedRequest>,
  { document }: Material,
): fc.Arbitrary<GeneratedRequest> {
  const taken = Object.keys(document.paths[operation.path] ?? {}).map((method) => method.toUpperCase());
  const others = methods.filter((method) => !taken.includes(method));
  return fc.tuple(valid, fc.constantFrom(...others)).map(([request, method]) => ({
    ...request,
    method,
    broken: 'method',
    expected: [405],
    isMalformed: true,
  }));
}

/** Unencoded text of a path or query: anything that fits into a request line. */
const junkParts = fc.oneof(
  fc.constantFrom(
    '%',
    '%zz',
    '%00',
    '%ff',
    '%ED%A0%80',
    '%C0%AF',
    '%u0000',
    '%2e%2e',
    '%2f',
    '%5c',
    '..',
    '.',
    '',
  ),
  fc.constantFrom(
    '%0d%0aX-Evil: 1'.replaceAll(' ', '%20'),
    '{id}',
    ':id',
    '*',
    "'--",
    '"',
    '<script>',
    '\u00ff',
    '\\',
    ';',
    '|',
  ),
  fc.constantFrom('a'.repeat(8000), '%41'.repeat(3000), '/'.repeat(500), '%F0%9F%92%A9'),
  fc.stringMatching(/^[!-~]{0,40}$/).map((text) => text.replaceAll(/[?#]/g, '%')),
  anyText.map((text) => percentEncode(text)),
);

/** With its headers, the request stays below the limit of a server. */
const pathCharsMax = 10_000;

function withJunkPath(valid: fc.Arbitrary<GeneratedRequest>): fc.Arbitrary<GeneratedRequest> {
  return fc.tuple(valid, junkParts, fc.nat({ max: 6 })).map(([request, junk, at]) => {
    const [path = '', query] = request.path.split('?', 2);
    const parts = path.split('/');
    const place = 1 + (at % parts.length);
    const mixed = [...parts.slice(0, place), junk, ...parts.slice(place + (at % 2))].join('/');
    return {
      ...request,
      path: (query === undefined ? mixed : `${mixed}?${query}`).slice(0, pathCharsMax),
      broken: 'path',
      expected: null,
      isMalformed: true,
    };
  });
}

function withJunkQuery(valid: fc.Arbitrary<GeneratedRequest>): fc.Arbitrary<GeneratedRequest> {
  const names = fc.oneof(
    fc.constantFrom('limit', 'after', 'format', 'seen_since', '__proto__', 'X-API-Key'),
    junkParts,
  );
  const pairs = fc.array(fc.tuple(names, junkParts), { minLength: 1, maxLength: 2 });
  return fc.tuple(valid, pairs).map(([request, found]) => ({
    ...request,
    path: `${request.path}${request.path.includes('?') ? '&' : '?'}${found.map((pair) => pair.join('=')).join('&')}`.slice(
      0,
      pathCharsMax,
    ),
    broken: 'query',
  }));
}

const headerText = fc
  .string({
    unit: fc.integer({ min: 0x20, max: 0xff }).map((unit) => String.fromCharCode(unit)),
    maxLength: 60,
  })
  .map((text) => text.replaceAll('\x7f', ''));

const oddHeaders = fc.oneof(
  fc.record({
    'Idempotency-Key': fc.oneof(
      headerText,
      fc.constantFrom('', ' ', 'k'.repeat(256), 'k'.repeat(5000), 'a b'),
    ),
  }),
  fc.constant({ 'Idempotency-Key': ['one', 'two'] }),
  fc.record({ 'Last-Event-ID': fc.oneof(headerText, fc.constant('9'.repeat(3000))) }),
  fc.record({ 'Content-Type': headerText }),
  fc.record({ Accept: fc.oneof(headerText, fc.constantFrom('text/html', 'application/json;q=0', '*')) }),
  fc.record({ 'Accept-Encoding': fc.constantFrom('gzip', 'br', 'identity;q=0', '*;q=0') }),
  fc.record({ 'Content-Encoding': fc.constantFrom('gzip', 'deflate', 'br', 'x-unknown') }),
  fc.record({
    'If-None-Match': fc.constantFrom('*', '"x"', 'W/"x"'),
    Range: fc.constantFrom('bytes=0-1', 'bytes=9-'),
  }),
  fc.record({
    'X-Forwarded-For': headerText,
    'X-Forwarded-Host': fc.constant('evil.example'),
    Forwarded: headerText,
  }),
  fc.record({ 'X-HTTP-Method-Override': fc.constantFrom('DELETE', 'POST'), 'X-Request-Id': headerText }),
  fc.record({
    Origin: fc.constantFrom('null', 'https://evil.example'),
    Referer: headerText,
    Cookie: headerText,
  }),
  fc.record({
    Host: fc.constantFrom('evil.example', 'evil.example:99999', '[::1', 'a b', '', 'ex ample/@x', '%00', 'é'),
  }),
);

function withOddHeaders(valid: fc.Arbitrary<GeneratedRequest>): fc.Arbitrary<GeneratedRequest> {
  return fc.tuple(valid, oddHeaders).map(([request, headers]) => {
    const rest = Object.keys(headers).reduce(without, request.headers);
    return {
      ...request,
      headers: { ...rest, ...headers },
      broken: `header ${Object.keys(headers).join(', ')}`,
    };
  });
}

function withNeedlessBody(valid: fc.Arbitrary<GeneratedRequest>): fc.Arbitrary<GeneratedRequest> {
  return fc.tuple(valid, brokenBodies(fc.constant({}))).map(([request, { type, body }]) => ({
    ...request,
    headers: { ...request.headers, ...(type === null ? {} : { 'Content-Type': type }) },
    body,
    broken: 'needless body',
  }));
}

function withBrokenBody(
  operation: Operation,
  valid: fc.Arbitrary<GeneratedRequest>,
  material: Material,
): fc.Arbitrary<GeneratedRequest> {
  const schema = operation.reported.requestBody?.content['application/json']?.schema;
  const bodies = brokenBodies(schema === undefined ? fc.constant({}) : valuesOf(material.document, schema));
  return fc.tuple(valid, bodies).map(([request, broken]) => ({
    ...request,
    // The query belongs to the other content types.
    path: request.path.split('?', 1)[0] ?? '',
    headers: {
      ...without(request.headers, 'content-type'),
      ...(broken.type === null ? {} : { 'Content-Type': broken.type }),
    },
    body: broken.body,
    broken: `body: ${broken.form}`,
    expected: refusalOf(operation, broken, material.check),
  }));
}

/** Maximum size of a JSON body in the document. */
const jsonBytesMax = 64 * 1024;

/** Expected rejection of a body; null if other responses are correct, too. A reused Idempotency-Key is reported first. */
function refusalOf(
  operation: Operation,
  { type, body }: BrokenBody,
  check: AnswerCheck,
): readonly number[] | null {
  const content = operation.reported.requestBody?.content ?? {};
  const isEmpty = body.length === 0 && operation.reported.requestBody?.required !== true;
  if (content['application/json'] === undefined || isEmpty) return null;
  const plainType = type?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (plainType !== 'application/json') return plainType in content ? null : [415];
  if (body.length > jsonBytesMax) return [413];
  const read = readJson(body);
  return read !== null && check.allowsBody(operation, read.value) ? null : [400, 409, 422];
}

function readJson(body: Buffer): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) };
  } catch {
    return null;
  }
}

function pathsOf({ path, reported }: Operation, { document, ids }: Material): fc.Arbitrary<string> {
  const parts = path.split('/').map((part) => {
    if (!part.startsWith('{')) return fc.constant(part);
    if (part !== '{id}') {
      const schema = parametersOf(reported.parameters, 'path')[0]?.schema ?? {};
      return fc.oneof(valuesOf(document, schema), fc.constantFrom('not_found', 'nothing')).map(toPathPart);
    }
    const kind = kindOf(path);
    const unknown = fc.stringMatching(/^[0-9a-f]{32}$/).map((digits) => `${kind}_${digits}`);
    return fc.oneof(
      { arbitrary: fc.constantFrom(...ids[kind]), weight: 3 },
      { arbitrary: unknown, weight: 1 },
    );
  });
  return fc.tuple(...parts).map((found) => found.join('/'));
}

/** Kind of the ids in a path. */
function kindOf(path: string): IdKind {
  if (path.includes('webhooks')) return 'whk';
  if (path.includes('api-keys')) return 'key';
  if (path.startsWith('/v1/report-links')) return 'rpl';
  if (path.startsWith('/v1/ads')) return 'ad';
  return path.startsWith('/v1/schedules') ? 'sch' : 'bat';
}

/** A path part cannot be empty, `.` and `..` have a special meaning, and no name contains NUL. */
function toPathPart(value: unknown): string {
  const text = percentEncode(String(value).replaceAll('\0', 'x'));
  return /^\.*$/.test(text) ? 'x' : text;
}

function queriesOf({ reported }: Operation, { document }: Material): fc.Arbitrary<string> {
  return recordOf(document, parametersOf(reported.parameters, 'query')).map((values) => {
    const pairs = Object.entries(values).map(
      ([name, value]) => `${encodeURIComponent(name)}=${percentEncode(String(value))}`,
    );
    // The rest must fit into the headers of a request.
    const query = pairs.join('&');
    return query === '' || query.length > 6000 ? '' : `?${query}`;
  });
}

function headersOf({ reported }: Operation, { document }: Material): fc.Arbitrary<Record<string, string>> {
  return recordOf(document, parametersOf(reported.parameters, 'header')).map((values) =>
    Object.fromEntries(
      Object.entries(values).flatMap(([name, value]) => {
        const text = String(value).replaceAll(/[^!-~]/g, '');
        return text === '' ? [] : [[name, text] as const];
      }),
    ),
  );
}

/** Some of the parameters: a failure with few of them is easier to read. */
function recordOf(
  document: Document,
  parameters: readonly Parameter[],
): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const all = parameters.map(({ name, schema }) => [name, valuesOf(document, schema)] as const);
  return fc
    .subarray(all, { maxLength: Math.min(3, all.length) })
    .chain((some) => fc.record(Object.fromEntries(some)));
}

function parametersOf(
  parameters: readonly Parameter[] | undefined,
  place: Parameter['in'],
): readonly Parameter[] {
  return (parameters ?? []).filter((parameter) => parameter.in === place);
}

interface Sent {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

const noContent: Sent = { headers: {}, body: null };

function contentsOf(operation: Operation, { document }: Material): fc.Arbitrary<Sent> {
  const { requestBody } = operation.reported;
  if (requestBody === undefined) return fc.constant(noContent);
  const forms = Object.entries(requestBody.content).map(([type, { schema = {} }]) => {
    if (type === 'application/json') return valuesOf(document, schema).map((value) => asJson(value));
    if (isFileType(type))
      return lists.map((text) => ({ headers: { 'Content-Type': type }, body: Buffer.from(text) }));
    if (type === 'multipart/form-data') return lists.map(asForm);
    throw new Error(`${nameOf(operation)} takes ${type}, which nobody has made up yet.`);
  });
  return fc.oneof(...forms, ...(requestBody.required === true ? [] : [fc.constant(noContent)]));
}

function asJson(value: unknown): Sent {
  return { headers: { 'Content-Type': 'application/json' }, body: Buffer.from(JSON.stringify(value)) };
}

const companies = fc.constantFrom('nike.com', 'adidas.de', 'no-such-company.com', 'localhost', '');
const lists = fc
  .array(fc.tuple(companies, anyText), { minLength: 0, maxLength: 4 })
  .map((rows) =>
    [
      'company_domain,company_name',
      ...rows.map(([domain, name]) => `${domain},"${name.replaceAll('"', '""')}"`),
    ].join('\n'),
  );

function asForm(text: string): Sent {
  const boundary = 'nightshift-test-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="list.csv"\r\nContent-Type: text/csv\r\n\r\n`;
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.from(`${head}${text}\r\n--${boundary}--\r\n`),
  };
}

/** Lone surrogates cannot be encoded: they become U+FFFD. */
function percentEncode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function without(headers: GeneratedRequest['headers'], name: string): GeneratedRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).filter(([each]) => each.toLowerCase() !== name.toLowerCase()),
  );
}
