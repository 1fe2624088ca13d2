import fc from 'fast-check';
import pLimit from 'p-limit';
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { pagePaths } from '../../../src/console/paths.ts';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { openTestApi, useTestApi } from '../../support/api/test-api.ts';
import { createAnswerCheck, excerpt, type AnswerCheck } from '../../support/openapi/answer-check.ts';
import { listOperations, nameOf, type Document, type Operation } from '../../support/openapi/document.ts';
import {
  brokenRequests,
  validRequests,
  type GeneratedRequest,
  type Material,
} from '../../support/openapi/generated-requests.ts';
import { exchange, type RawRequest } from '../../support/openapi/raw-exchange.ts';
import { rawRequests, unfinished } from '../../support/openapi/raw-requests.ts';
import { createSender, type PlainAnswer } from '../../support/openapi/send-request.ts';
import { digestStored } from '../../support/openapi/stored-state.ts';
import { randomRuns } from '../../support/faults/random-runs.ts';
import { takeSeedNumber } from '../../support/seed-number.ts';
import { sessionHeaders } from '../../support/api/session-calls.ts';

const connections = 32;
const requestsInAll = randomRuns(10_000);
const rawInAll = randomRuns(600);

describe('requests generated from the OpenAPI document', () => {
  const api = useTestApi({
    settings: { NIGHTSHIFT_ALLOWED_HOSTS: '127.0.0.1:65000' },
  });
  let material: Material;
  let operations: readonly Operation[];

  beforeAll(async () => {
    const document = (await api().call('GET', '/openapi.json')).json() as Document;
    // Signing in and out would end the sessions of the other requests: test/api/accounts/session.test.ts.
    operations = listOperations(document).filter(({ path }) => !path.startsWith('/v1/session'));
    material = await gather(document);
  });

  test('get no 5xx and only documented responses, and a rejected request writes nothing', async () => {
    const requests = sample(takeSeedNumber());
    expect(requests.length).toBeGreaterThanOrEqual(requestsInAll);
    const sender = createSender(api().url, connections);
    const report = startReport(material.check, operations);
    // Requests that must be rejected, in blocks: none may change anything.
    await expectUnchanged(requests.filter(({ expected }) => expected !== null));
    const answered = await sendAll(requests.filter(({ expected }) => expected === null));
    // Half of the requests that were rejected, repeated on their own.
    const refused = answered.filter(isRefused).map(({ request }) => request);
    const unchanged = await expectUnchanged(refused.filter((_, i) => i % 2 === 0));
    sender.close();
    expect(report.complaints().join('\n')).toBe('');
    expect(unchanged).toBeGreaterThan(refused.length / 4);

    async function sendAll(some: readonly GeneratedRequest[]): Promise<readonly Asked[]> {
      const limit = pLimit(connections);
      return Promise.all(some.map((request) => limit(() => send(request))));
    }

    async function send(request: GeneratedRequest): Promise<Asked> {
      try {
        const answer = await sender.send(request);
        report.note(request, answer);
        return { request, status: answer.status };
      } catch (error) {
        report.noteNoResponse(request, error);
        return { request, status: null };
      }
    }

    /** Counts the requests of blocks in which every response was an error: after any other response, something may have been written. */
    async function expectUnchanged(some: readonly GeneratedRequest[]): Promise<number> {
      let checked = 0;
      let before = await digestStored(api().database);
      for (const block of blocksOf(some)) {
        const answers = await sendAll(block);
        const after = await digestStored(api().database);
        if (answers.every(isRefused)) {
          checked += block.length;
          for (const table of changedTables(before, after)) report.noteWriting(table, block);
        }
        before = after;
      }
      return checked;
    }
  }, 240_000);

  test('on raw connections get no 5xx, have the error body, and write nothing', async () => {
    const before = await digestStored(api().database);
    const limit = pLimit(connections);
    const raw = fc.sample(rawRequests(material.key), { seed: takeSeedNumber(), numRuns: rawInAll });
    const complaints = await Promise.all(
      [unfinished, ...raw].map((request) => limit(() => complaintsOf(request))),
    );
    expect([...new Set(complaints.flat())].join('\n')).toBe('');
    expect(await digestStored(api().database)).toEqual(before);
  });

  test('in a pipeline are answered before garbage that follows them', async () => {
    const { answers } = await exchange(api().url, pipelineAndGarbage(material.key));
    const statuses = answers.map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 404, 400].slice(0, statuses.length));
  });

  test('that stream a response do not mix it with the response to garbage', async () => {
    const batch = await api().call('POST', '/v1/batches', {
      key: material.key,
      json: { rows: [{ company_domain: 'nike.com' }] },
    });
    const { id } = batch.json() as { id: string };
    const head = `GET /v1/batches/${id}/events HTTP/1.1\r\nHost: here\r\nX-API-Key: ${material.key}\r\n\r\n`;
    // Time until the first event arrives.
    const pause = Array.from({ length: 50 }, () => Buffer.alloc(0));
    const parts = [Buffer.from(head), ...pause, Buffer.from('GARBAGE\r\n\r\n')];
    const { rest } = await exchange(api().url, { name: 'stream', parts, ends: false, answers: null });
    expect(rest).toMatch(/^HTTP\/1\.1 200 /);
    expect(rest).not.toContain('HTTP/1.1 400');
  });

  test('with two Host headers are rejected', async () => {
    const parts = [Buffer.from('GET /livez HTTP/1.1\r\nHost: here\r\nHost: there\r\n\r\n')];
    const { answers } = await exchange(api().url, { name: 'hosts', parts, ends: false, answers: 1 });
    expect(answers.map(({ status }) => status)).toEqual([400]);
  });

  test('of closed connections do not delay a shutdown', async () => {
    const own = await openTestApi({ settings: { NIGHTSHIFT_GRACE_SECONDS: '25' } });
    const key = await own.createKey();
    for (let n = 0; n < 5; n += 1) await exchange(own.url, pipelineAndGarbage(key));
    const startMs = performance.now();
    await own.close();
    expect(performance.now() - startMs).toBeLessThan(60_000);
  });

  test('every invariant holds', async () => {
    expect(await api().findings()).toEqual([]);
  });

  async function gather(document: Document): Promise<Material> {
    // An account with a fixed name: operators' requests change the limits of other accounts.
    const account = 'asker';
    await api().createAccount(account, 1_000_000n);
    const key = await api().createKey({ account, scopes });
    const ids = {
      ad: [] as string[],
      bat: [] as string[],
      key: [] as string[],
      rpl: [] as string[],
      sch: [] as string[],
      whk: [] as string[],
    };
    await api().call('POST', '/v1/ads/google-ads-search', { key, json: { company_domain: 'nike.com' } });
    const seen = await api().call('GET', '/v1/ads', { key });
    ids.ad.push(...(seen.json() as { ads: { id: string }[] }).ads.map(({ id }) => id));
    for (let n = 0; n < 24; n += 1) {
      const rows = [{ company_domain: 'nike.com' }, { company_domain: `company-${n}.com` }];
      const batch = await api().call('POST', '/v1/batches', { key, json: { rows } });
      ids.bat.push((batch.json() as { id: string }).id);
    }
    for (const id of ids.bat) {
      const link = await api().call('POST', `/v1/batches/${id}/report-links`, { key });
      ids.rpl.push((link.json() as { id: string }).id);
    }
    // The generated requests include removals of webhooks.
    for (let n = 0; n < 100; n += 1) {
      const json = { name: `schedule ${n}`, cron: '0 2 * * *', rows: [{ company_domain: 'nike.com' }] };
      const schedule = await api().call('POST', '/v1/schedules', { key, json });
      ids.sch.push((schedule.json() as { id: string }).id);
    }
    const spare: string[] = [];
    for (let n = 0; n < 24; n += 1) {
      const made = await api().call('POST', '/v1/account/api-keys', { key, json: { name: `spare ${n}` } });
      const { id, key: text } = made.json() as { id: string; key: string };
      ids.key.push(id);
      spare.push(text);
    }
    await api().call('POST', `/v1/account/api-keys/${ids.key[0]}/revoke`, { key });
    for (let n = 0; n < 24; n += 1) {
      // A port without a listener, so that a test event reaches no server.
      const json = { name: `spare ${n}`, url: 'http://127.0.0.1:65000/' };
      const made = await api().call('POST', '/v1/webhooks', { key, json });
      ids.whk.push((made.json() as { id: string }).id);
    }
    return {
      document,
      check: createAnswerCheck(document, api().url),
      key,
      badKeys: [spare[0] ?? '', 'ns_live_', `ns_live_${'0'.repeat(36)}`, 'a'.repeat(4000)],
      session: await sessionHeaders(api(), 'operator', account),
      poorKey: await api().createKey({ account, scopes: [] }),
      poorSession: await sessionHeaders(api(), 'admin', account),
      ids,
    };
  }

  async function complaintsOf(request: RawRequest): Promise<readonly string[]> {
    const { answers, rest } = await exchange(api().url, request);
    const found = answers.flatMap((answer) => [
      ...(answer.status >= 500 ? [`a ${answer.status}`] : []),
      ...(answer.status >= 400 ? material.check.problemComplaints(answer) : []),
    ]);
    if (answers.length < (request.answers ?? 0))
      found.push(`${answers.length} answers of ${request.answers}`);
    // A response that was started on a connection that closed or fell silent.
    if (rest !== '') found.push(`half an answer: ${excerpt(rest)}`);
    return found.map((what) => `${request.name}: ${what}`);
  }

  /** Sample with the same number of requests for every operation. */
  function sample(seed: number): readonly GeneratedRequest[] {
    const each = Math.ceil(requestsInAll / operations.length);
    const sampled = operations.map((operation, i) => {
      const valid = validRequests(operation, material);
      const broken = brokenRequests(operation, material);
      const mixed = fc.oneof({ arbitrary: valid, weight: 4 }, { arbitrary: broken, weight: 6 });
      return fc.sample(mixed, { seed: seed + i, numRuns: each });
    });
    return Array.from({ length: each }, (_, n) => sampled.flatMap((requests) => requests[n] ?? [])).flat();
  }
});

/** Three valid requests and garbage in one write. */
function pipelineAndGarbage(key: string): RawRequest {
  const requests = ['/v1/credits', '/livez', '/v1/nothing'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: here\r\nX-API-Key: ${key}\r\n\r\n`,
  );
  const parts = [Buffer.from(`${requests.join('')}GARBAGE\r\n\r\n`)];
  return { name: 'pipeline and garbage', parts, ends: false, answers: null };
}

const blockLengthMax = 100;
const blocksMin = 16;

/** Several blocks, also of few requests: one response that is no error makes a block say nothing. */
function blocksOf(requests: readonly GeneratedRequest[]): readonly (readonly GeneratedRequest[])[] {
  const blockLength = Math.min(blockLengthMax, Math.max(1, Math.ceil(requests.length / blocksMin)));
  const count = Math.ceil(requests.length / blockLength);
  return Array.from({ length: count }, (_, i) => requests.slice(i * blockLength, (i + 1) * blockLength));
}

interface Asked {
  readonly request: GeneratedRequest;
  /** Null if there was no response. */
  readonly status: number | null;
}

function isRefused({ status }: Asked): boolean {
  return status !== null && status >= 400;
}

function changedTables(
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.keys(after).filter((table) => after[table] !== before[table]);
}

/** Collects violations, each kind with its first requests: one bug causes hundreds of them. */
function startReport(check: AnswerCheck, operations: readonly Operation[]) {
  const kinds = new Map<string, string[]>();
  const counts = new Map<string, number>();
  const add = (kind: string, example: string) => {
    const examples = kinds.get(kind) ?? [];
    kinds.set(kind, examples);
    if (examples.length < 3) examples.push(example);
  };
  onTestFailed(() => void process.stderr.write(`${JSON.stringify(Object.fromEntries(counts), null, 2)}\n`));

  function note(request: GeneratedRequest, answer: PlainAnswer): void {
    const { operation, expected, broken } = request;
    const name = nameOf(operation);
    const line = `${name} ${answer.status}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
    if (answer.status >= 500) add(`${name}: a ${answer.status}`, tell(request, answer));
    if (expected !== null && !expected.includes(answer.status))
      add(`${name}, ${broken}: ${answer.status} instead of ${expected.join(' or ')}`, tell(request, answer));
    for (const complaint of complaintsOf(request, answer))
      add(`${name}: ${complaint}`, tell(request, answer));
  }

  function complaintsOf(request: GeneratedRequest, answer: PlainAnswer): readonly string[] {
    if (!request.isMalformed) return check.complaints(request.operation, answer);
    const there = operationAt(operations, request);
    if (there !== undefined) return check.complaints(there, answer);
    if (isPage(request) && answer.status === 200) return [];
    return [400, 404, 405].includes(answer.status)
      ? check.problemComplaints(answer)
      : [`${answer.status} where there is no operation`];
  }

  return {
    note,
    noteNoResponse: ({ operation, ...request }: GeneratedRequest, error: unknown) =>
      add(`${nameOf(operation)}: no answer: ${String(error)}`, tell({ operation, ...request }, null)),
    noteWriting: (table: string, block: readonly GeneratedRequest[]) =>
      add(
        `refused requests changed the table ${table}`,
        [...new Set(block.map(({ operation, broken }) => `${nameOf(operation)} ${broken}`))].join('; '),
      ),
    complaints: () => [...kinds].map(([kind, examples]) => `${kind}\n  ${examples.join('\n  ')}`),
  };
}

/** Operation of a normalized path. Literal paths take precedence. */
function operationAt(operations: readonly Operation[], request: GeneratedRequest): Operation | undefined {
  const path = pathOf(request);
  const own = operations.filter(({ path: template }) => template === path);
  const there =
    own.length > 0 ? own : operations.filter(({ path: template }) => toPattern(template).test(path));
  return there.find(({ method }) => method === request.method);
}

/** Path as a server resolves it, without dot segments. */
function pathOf({ path }: GeneratedRequest): string {
  return URL.parse(`http://here${path}`)?.pathname ?? '';
}

/** True if the request reads a page of the console. */
function isPage(request: GeneratedRequest): boolean {
  const pages = pagePaths.map((page) => toPattern(page.replaceAll(/:(\w+)/g, '{$1}')));
  return request.method === 'GET' && pages.some((page) => page.test(pathOf(request)));
}

function toPattern(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

function tell({ method, path, headers, body, broken }: GeneratedRequest, answer: PlainAnswer | null): string {
  const sent = body === null ? '' : ` ${excerpt(JSON.stringify(body.toString('latin1')))}`;
  const got = answer === null ? 'nothing' : `${answer.status} ${excerpt(answer.body.toString())}`;
  return `(${broken ?? 'valid'}) ${method} ${excerpt(path)} ${excerpt(JSON.stringify(headers))}${sent} → ${got}`;
}
