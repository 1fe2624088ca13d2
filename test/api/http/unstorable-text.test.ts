import fc from 'fast-check';
import { deflateSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { useTestApi, type Answer, type ProblemBody } from '../../support/api/test-api.ts';
import { listOperations, nameOf, type Document, type Operation } from '../../support/openapi/document.ts';
import { exchange } from '../../support/openapi/raw-exchange.ts';
import { valuesOf } from '../../support/openapi/schema-values.ts';
import { takeSeedNumber } from '../../support/seed-number.ts';
import { sessionHeaders } from '../../support/api/session-calls.ts';

/** Text that Postgres cannot store: NUL, and each half of a surrogate pair. */
const unstorable = ['a\0b', 'a\ud800b', 'a\udfffb'];

const bodiesEach = 4;

describe('text that cannot be stored', () => {
  const api = useTestApi();
  let operations: readonly Operation[];
  let document: Document;
  let credentials: (operation: Operation) => Readonly<Record<string, string>>;

  beforeAll(async () => {
    document = (await api().call('GET', '/openapi.json')).json() as Document;
    operations = listOperations(document);
    await api().createAccount('asker', 1000n);
    const key = await api().createKey({ account: 'asker', scopes });
    const session = await sessionHeaders(api(), 'operator', 'asker');
    credentials = ({ isGuarded }) => (isGuarded ? { 'X-API-Key': key } : session);
  });

  test('in the query of any operation is a 400 that names the field', async () => {
    const asked = operations.flatMap((operation) =>
      parametersOf(operation, 'query').map(async (name) => {
        const path = `${pathOf(operation)}?${name}=a%00b`;
        return complaintsOf(`${nameOf(operation)} ${name}`, await ask(operation, path), name);
      }),
    );
    expect(asked.length).toBeGreaterThan(100);
    expect((await Promise.all(asked)).flat()).toEqual([]);
  });

  test('in the path of any operation is a 404', async () => {
    const withParts = operations.filter(({ path }) => path.includes('{'));
    const statuses = await Promise.all(
      withParts.map(async (operation) => {
        const { status } = await ask(operation, operation.path.replaceAll(/\{\w+\}/g, 'a%00b'));
        return [nameOf(operation), status];
      }),
    );
    expect(statuses.length).toBeGreaterThan(20);
    expect(statuses.filter(([, status]) => status !== 404)).toEqual([]);
  });

  test('in a JSON body of any operation, as a value or a name, is a 400 that names the field', async () => {
    const withJson = operations.flatMap((operation) => {
      const schema = operation.reported.requestBody?.content['application/json']?.schema;
      return schema === undefined ? [] : [{ operation, schema }];
    });
    expect(withJson.length).toBeGreaterThan(15);
    const complaints = await Promise.all(
      withJson.map(async ({ operation, schema }) => {
        const valid = fc.sample(valuesOf(document, schema), {
          seed: takeSeedNumber(),
          numRuns: bodiesEach,
        });
        const bodies = valid.flatMap((body) => unstorable.flatMap((text) => spoiled(clean(body), text)));
        expect(bodies.length).toBeGreaterThan(0);
        const found = [];
        for (const { at, body } of bodies) {
          const answer = await ask(operation, pathOf(operation), body);
          found.push(...complaintsOf(`${nameOf(operation)} ${at}`, answer, at));
        }
        return found;
      }),
    );
    expect([...new Set(complaints.flat())]).toEqual([]);
  });

  test('in a header is rejected by the HTTP parser', async () => {
    for (const name of ['Idempotency-Key', 'Last-Event-ID', 'X-API-Key', 'Cookie']) {
      const head = `GET /v1/credits HTTP/1.1\r\nHost: here\r\n${name}: a\0b\r\n\r\n`;
      const parts = [Buffer.from(head)];
      const { answers } = await exchange(api().url, { name, parts, ends: false, answers: 1 });
      expect([name, answers.map(({ status }) => status)]).toEqual([name, [400]]);
    }
  });

  const listPaths = ['/v1/batches', '/v1/batches?dry_run=true', '/v1/lists/columns', '/v1/lists/rejected'];

  test.each(listPaths)('in the header of a file is a 400 that says so: %s', async (path) => {
    const answer = await sendList(path, 'website,a\0b\nnike.com,1\n');
    expect([answer.status, titlesOf(answer)]).toEqual([
      400,
      [
        'upload.csv, line 1: The header cannot be used: contains a NUL byte (shown as \u2400). Fix it, or save the file as UTF-8.',
      ],
    ]);
  });

  test.each([
    ['a PNG image', png(), 'This is a PNG image.'],
    ['a JPEG image', Buffer.from('ffd8ffe000104a46494600', 'hex'), 'This is a JPEG image.'],
    ['a gzip file in a gzip file', gzipSync(gzipSync('domain\nnike.com\n')), 'This is a gzip archive'],
    ['a program', elf(), 'This is not a text file'],
  ])(
    'of %s is rejected with the detected type in every operation that takes files',
    async (_what, body, reported) => {
      for (const path of listPaths) {
        const answer = await sendList(path, body);
        expect([path, answer.status]).toEqual([path, 400]);
        expect(titlesOf(answer)).toEqual([expect.stringContaining(reported)]);
      }
    },
  );

  test('in a form is a 400 that names the field, also as file name', async () => {
    for (const name of ['map', 'encoding', 'columns', 'file_name', 'a\0b'])
      for (const path of listPaths.map((each) => each.split('?', 1)[0] ?? '')) {
        const answer = await sendForm(path, { field: name, fileName: 'list.csv' });
        expect([path, name, answer.status]).toEqual([path, name, 400]);
      }
    const answer = await sendForm('/v1/batches', { field: 'encoding', value: 'utf-8', fileName: 'a\0b.csv' });
    expect([answer.status, titlesOf(answer)]).toEqual([
      400,
      ['file_name: must not contain NUL or broken characters'],
    ]);
  });

  test('in rows of a file rejects those rows with the reason', async () => {
    const answer = await sendList('/v1/batches?dry_run=true', 'domain\nnike.com\nadi\0das.com\n');
    expect(answer.json()).toMatchObject({
      rejected_by_reason: [{ reason: 'contains a NUL byte (shown as \u2400)', rows: 1 }],
    });
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });

  /** A body that is given goes as JSON, written out so that half a character stays one. */
  function ask(operation: Operation, path: string, body?: unknown): Promise<Answer> {
    const headers = credentials(operation);
    return api().call(operation.method, path, body === undefined ? { headers } : { headers, json: body });
  }

  async function sendList(path: string, body: string | Uint8Array): Promise<Answer> {
    const key = await api().createKey();
    return api().call('POST', path, { key, headers: { 'Content-Type': 'text/csv' }, body });
  }

  /** By hand: what makes forms elsewhere escapes or refuses such names. */
  async function sendForm(
    path: string,
    {
      field,
      value = 'a\0b',
      fileName,
    }: { readonly field: string; readonly value?: string; readonly fileName: string },
  ): Promise<Answer> {
    const parts = [
      `Content-Disposition: form-data; name="${field}"\r\n\r\n${value}`,
      `Content-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: text/csv\r\n\r\ndomain\nnike.com\n`,
    ];
    const body = `${parts.map((part) => `--x\r\n${part}\r\n`).join('')}--x--\r\n`;
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' };
    return api().call('POST', path, { key: await api().createKey(), headers, body });
  }
});

function parametersOf({ reported }: Operation, where: 'query'): readonly string[] {
  return (reported.parameters ?? []).filter((each) => each.in === where).map(({ name }) => name);
}

/** A path that leads to the operation, at something that there is not. */
function pathOf({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, 'nothing');
}

function complaintsOf(what: string, answer: Answer, field: string): readonly string[] {
  if (answer.status !== 400) return [`${what}: ${answer.status} ${answer.text.slice(0, 200)}`];
  const shown = field.replaceAll(/[\0\p{Cs}]/gu, '\ufffd');
  const isNamed = titlesOf(answer).some((title) => title.startsWith(`${shown}: `));
  return isNamed ? [] : [`${what} is not named: ${titlesOf(answer).join('; ')}`];
}

function titlesOf(answer: Answer): readonly string[] {
  return (answer.json() as ProblemBody).errors.map(({ title }) => title);
}

/** The same with texts that can be stored, its names too. */
function clean(value: unknown): unknown {
  const text = JSON.stringify(value).replaceAll(/\\u(?:0000|d[89a-f]..)/g, 'x');
  return JSON.parse(text, (_name, each: unknown) => (typeof each === 'string' ? 'x' : each)) as unknown;
}

interface Spoiled {
  /** The path of the field, its steps joined with dots. */
  readonly at: string;
  readonly body: unknown;
}

/** The body once for each text in it with that text spoiled, and once with one more field of such a name. */
function spoiled(body: unknown, text: string): readonly Spoiled[] {
  const more = isObject(body) ? [{ at: text, body: { ...body, [text]: 'x' } }] : [];
  return [
    ...more,
    ...placesOf(body).map((place) => ({ at: nameOfPlace(place), body: put(body, place, text) })),
  ];
}

function nameOfPlace(place: readonly string[]): string {
  return place.length === 0 ? 'The body' : place.join('.');
}

function placesOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value === 'string') return [[]];
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => placesOf(each).map((rest) => [name, ...rest]));
}

function put(value: unknown, [name, ...rest]: readonly string[], text: string): unknown {
  if (name === undefined) return text;
  const within = (value as Readonly<Record<string, unknown>>)[name];
  const next = put(within, rest, text);
  if (Array.isArray(value)) return value.map((each: unknown, i) => (String(i) === name ? next : each));
  return { ...(value as object), [name]: next };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function png(): Buffer {
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, Buffer.from('0000000d49484452', 'hex'), deflateSync(Buffer.alloc(4000))]);
}

/** The head of a program: text and numbers, most of whose bytes are 0. */
function elf(): Buffer {
  const head = Buffer.alloc(2000);
  head.write('\x7fELF\x02\x01\x01', 'latin1');
  head.write('domain,name\nnike.com,Nike\n', 600);
  return head;
}
