import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { makeBatchReport, makeScheduleReport } from '../../../src/reporter/documents/make-report.ts';
import { createSchedulesApi } from '../../support/api/schedules-api.ts';
import { signInAs } from '../../support/api/session-calls.ts';
import { codesOf, openTestApi, useTestApi, type Answer } from '../../support/api/test-api.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';

interface LinkBody {
  readonly id: string;
  readonly url: string;
  readonly state: string;
  readonly opened: number;
  readonly created_at: string;
  readonly expires_at: string;
}

const dayMs = 86_400_000;
const api = useTestApi({ workers: true });
const schedules = createSchedulesApi(api);
let key: string;
let batch: string;

beforeAll(async () => {
  key = await api().createKey();
  batch = await finishedBatch('nike.com');
});

async function finishedBatch(domain: string): Promise<string> {
  const id = await uploadBatch(api(), key, `domain\n${domain}\n`);
  await waitForState(api(), key, id, 'finished');
  return id;
}

function linksOf(id: string): string {
  return id.startsWith('sch_') ? `/v1/schedules/${id}/report-links` : `/v1/batches/${id}/report-links`;
}

async function share(id: string, json: object = {}): Promise<LinkBody> {
  const answer = await api().call('POST', linksOf(id), { key, json });
  expect(answer.status, answer.text).toBe(201);
  return answer.json() as LinkBody;
}

async function list(path: string): Promise<readonly LinkBody[]> {
  return ((await api().call('GET', path, { key })).json() as { links: readonly LinkBody[] }).links;
}

/** Opens a link as a stranger does: without a key and a cookie. */
function open(url: string, method = 'GET'): Promise<Answer> {
  return api().call(method, new URL(url).pathname, { headers: { Accept: 'text/html' } });
}

function query(text: string, values: readonly unknown[]) {
  return api().database.owner.pool.query<Record<string, unknown>>(text, [...values]);
}

function tokenOf(url: string): string {
  return url.split('/').at(-1) ?? '';
}

describe('link to the report of a batch', () => {
  test('shows the report without a key or a session, and counts how often', async () => {
    const link = await share(batch);
    expect(link.url).toMatch(new RegExp(`^${api().url}/shared/reports/[\\w-]{43}$`));
    expect(link).toMatchObject({ state: 'active', opened: 0, subject: { id: batch }, kind: 'batch' });
    const { accounts, batches } = api().app;
    const made = await makeBatchReport(batches.reportData, batch, {
      accountId: accounts.defaultId,
      format: 'html',
    });
    const answers = [await open(link.url), await open(link.url)];
    for (const { status, text, headers } of answers) {
      expect([status, text === made.text]).toEqual([200, true]);
      const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text) ?? [];
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `${policy.replaceAll('&#39;', "'")}; frame-ancestors 'none'`,
        'cache-control': 'private, no-store',
        'x-robots-tag': 'noindex, nofollow',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers.get('set-cookie')).toBeNull();
      expect(headers.get('content-disposition')).toBeNull();
    }
    expect(await list(linksOf(batch))).toContainEqual(
      expect.objectContaining({ id: link.id, opened: 2, opened_at: expect.any(String) as string }),
    );
  });

  test('expires after 7 days by default, and after 90 at most', async () => {
    const daysOf = ({ created_at: from, expires_at: to }: LinkBody) =>
      (Date.parse(to) - Date.parse(from)) / dayMs;
    expect(daysOf(await share(batch))).toBe(7);
    expect(Math.round(daysOf(await share(batch, { days: 90 })))).toBe(90);
    for (const json of [{ days: 0 }, { days: 91 }, { days: 1.5 }, { days: '7' }, { day: 7 }]) {
      const answer = await api().call('POST', linksOf(batch), { key, json });
      expect([answer.status, codesOf(answer)]).toEqual([400, ['validation_error']]);
    }
  });

  test('is stored as a digest only, also as the response to an Idempotency-Key', async () => {
    const call = { key, headers: { 'Idempotency-Key': 'share-once' } };
    const first = await api().call('POST', linksOf(batch), call);
    const again = await api().call('POST', linksOf(batch), call);
    expect(again.text).toBe(first.text);
    const { id, url } = first.json() as LinkBody;
    expect((await list(linksOf(batch))).filter((each) => each.id === id)).toHaveLength(1);
    const tables = await query(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'nightshift' AND table_type = 'BASE TABLE'`,
      [],
    );
    for (const { name } of tables.rows) {
      const { rows } = await query(
        `SELECT count(*)::integer AS n FROM nightshift.${String(name)} t
          WHERE to_jsonb(t)::text LIKE '%' || $1 || '%' OR to_jsonb(t)::text LIKE '%' || $2 || '%'`,
        [tokenOf(url), Buffer.from(tokenOf(url)).toString('hex')],
      );
      expect(rows, String(name)).toEqual([{ n: 0 }]);
    }
  });

  test('has entries in the audit log, without the token', async () => {
    const { id, url } = await share(batch, { days: 3 });
    await api().call('DELETE', `/v1/report-links/${id}`, { key });
    await api().call('DELETE', `/v1/report-links/${id}`, { key });
    const { rows } = await query(
      `SELECT event, details FROM nightshift.audit_log WHERE details ->> 'link' = $1 ORDER BY id`,
      [id],
    );
    expect(rows).toEqual([
      { event: 'report_link_created', details: { link: id, batch, days: 3 } },
      { event: 'report_link_revoked', details: { link: id, batch } },
    ]);
    expect(JSON.stringify(rows)).not.toContain(tokenOf(url));
  });

  test('gets one page, whatever the reason that it shows no report', async () => {
    const expired = await share(batch);
    await query('UPDATE nightshift.report_links SET expires_at = now() WHERE public_id = $1', [expired.id]);
    const revoked = await share(batch);
    expect((await api().call('DELETE', `/v1/report-links/${revoked.id}`, { key })).status).toBe(204);
    const purgedBatch = await finishedBatch('airbnb.com');
    const purged = await share(purgedBatch);
    expect((await open(purged.url)).status).toBe(200);
    await query('UPDATE nightshift.batches SET purged_at = now() WHERE public_id = $1', [purgedBatch]);
    const deletedBatch = await finishedBatch('adobe.com');
    const deleted = await share(deletedBatch);
    expect((await open(deleted.url)).status).toBe(200);
    await api().call('DELETE', `/v1/batches/${deletedBatch}`, { key });
    const unknown = `${api().url}/shared/reports/${'A'.repeat(43)}`;
    const tidied = ({ status, headers, text }: Answer) => ({
      status,
      text,
      headers: [...headers].filter(([name]) => name !== 'x-request-id' && name !== 'date'),
    });
    const missing = tidied(await open(unknown));
    expect(missing.status).toBe(404);
    expect(missing.text).toContain('<h1>This report is not available</h1>');
    expect(Object.fromEntries(missing.headers)).toMatchObject({
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'none'") as string,
    });
    for (const url of [expired.url, revoked.url, purged.url, deleted.url, `${unknown}x`, `${unknown}%00`]) {
      const answer = await open(url);
      if (url.endsWith('%00')) expect(answer.status).toBe(404);
      else expect(tidied(answer), url).toEqual(missing);
    }
    const states = new Map((await list(linksOf(batch))).map(({ id, state }) => [id, state]));
    expect([states.get(expired.id), states.get(revoked.id)]).toEqual(['expired', 'revoked']);
    expect((await open(expired.url, 'HEAD')).text).toBe('');
    const again = await api().call('POST', linksOf(purgedBatch), { key });
    expect([again.status, codesOf(again)]).toEqual([409, ['conflict']]);
    expect((await api().call('POST', linksOf(deletedBatch), { key })).status).toBe(404);
  });

  test('has a maximum number, of which expired ones are none', async () => {
    const many = await finishedBatch('siemens.com');
    await query(
      `INSERT INTO nightshift.report_links (public_id, account_id, digest, batch_id, created_by, expires_at)
        SELECT 'rpl_many_' || n, 1, sha256(n::text::bytea), b.id, 'cli', now() + (n - 1) * interval '1 hour'
        FROM generate_series(1, 100) n, nightshift.batches b WHERE b.public_id = $1`,
      [many],
    );
    await share(many);
    const answer = await api().call('POST', linksOf(many), { key });
    expect([answer.status, codesOf(answer)]).toEqual([409, ['conflict']]);
    expect(await list(linksOf(many))).toHaveLength(101);
    expect((await list('/v1/report-links')).length).toBeGreaterThan(101);
  });
});

describe('link to the report of a schedule', () => {
  test('shows the report of the last 30 days until the schedule is removed', async () => {
    const { id } = await schedules.add(key, { name: 'shared' });
    const answer = await api().call('POST', '/v1/schedules/shared/report-links', { key });
    const link = answer.json() as LinkBody;
    expect(link).toMatchObject({ kind: 'schedule', subject: { id, name: 'shared' } });
    const { accounts, batches } = api().app;
    const made = await makeScheduleReport(batches.reportData, id, {
      ...{ accountId: accounts.defaultId, format: 'html' },
      days: 30,
    });
    expect((await open(link.url)).text).toBe(made.text);
    expect(await list(linksOf(id))).toMatchObject([{ id: link.id, opened: 1 }]);
    await api().call('DELETE', `/v1/schedules/${id}`, { key });
    expect((await open(link.url)).status).toBe(404);
    expect((await api().call('GET', linksOf(id), { key })).status).toBe(404);
  });
});

describe('rights on links', () => {
  test('a viewer lists links; only a member creates and revokes them', async () => {
    const viewer = await signInAs(api(), 'viewer');
    const member = await signInAs(api(), 'member');
    expect((await viewer('POST', linksOf(batch))).status).toBe(403);
    const link = (await member('POST', linksOf(batch))).json() as LinkBody;
    const seen = (await viewer('GET', linksOf(batch))).json() as { links: object[] };
    expect(seen.links).toContainEqual(
      expect.objectContaining({
        id: link.id,
        owner: expect.objectContaining({ kind: 'user', name: 'member-of-default@example.com' }) as object,
      }),
    );
    expect((await viewer('DELETE', `/v1/report-links/${link.id}`)).status).toBe(403);
    const reading = await api().createKey({ scopes: ['batches:read'] });
    expect((await api().call('POST', linksOf(batch), { key: reading })).status).toBe(403);
    expect((await api().call('GET', '/v1/report-links', { key: reading })).status).toBe(200);
    expect((await member('DELETE', `/v1/report-links/${link.id}`)).status).toBe(204);
  });

  test('links of another account do not exist', async () => {
    await api().createAccount('other', 10n);
    const other = await api().createKey({ account: 'other' });
    const link = await share(batch);
    for (const [method, path] of [
      ['POST', linksOf(batch)],
      ['GET', linksOf(batch)],
      ['DELETE', `/v1/report-links/${link.id}`],
    ] as const)
      expect((await api().call(method, path, { key: other })).status).toBe(404);
    expect((await api().call('GET', '/v1/report-links', { key: other })).json()).toEqual({ links: [] });
    expect((await open(link.url)).status).toBe(200);
  });

  test('a link ends with its creator: a disabled user, a revoked key', async () => {
    const leaving = await signInAs(api(), 'operator');
    const byUser = (await leaving('POST', linksOf(batch))).json() as LinkBody;
    const spare = await api().createKey();
    const byKey = (await api().call('POST', linksOf(batch), { key: spare })).json() as LinkBody;
    for (const { url } of [byUser, byKey]) expect((await open(url)).status).toBe(200);
    const by = { actor: 'test', address: null };
    await api().app.accounts.users.setDisabled('operator-of-default@example.com', true, by);
    await query(
      `UPDATE nightshift.api_keys SET revoked_at = now() WHERE public_id = (
        SELECT created_by FROM nightshift.report_links WHERE public_id = $1)`,
      [byKey.id],
    );
    for (const { url } of [byUser, byKey]) expect((await open(url)).status).toBe(404);
    const states = new Map((await list(linksOf(batch))).map(({ id, state }) => [id, state]));
    expect([states.get(byUser.id), states.get(byKey.id)]).toEqual(['revoked', 'revoked']);
  });
});

test('many readers of one report get it at the same time', async () => {
  const { id, url } = await share(batch);
  const answers = await Promise.all(Array.from({ length: 40 }, () => open(url)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await list(linksOf(batch))).find((each) => each.id === id)?.opened).toBe(40);
});

test('an address that tries many invalid links is rate limited; valid links still open', async () => {
  const limited = await openTestApi({ settings: { NIGHTSHIFT_BAD_KEYS_PER_MINUTE: '3' } });
  onTestFinished(limited.close);
  const own = await limited.createKey();
  const id = await uploadBatch(limited, own, 'domain\nnike.com\n');
  const link = (await limited.call('POST', linksOf(id), { key: own })).json() as LinkBody;
  const statuses = [];
  for (let n = 0; n < 5; n += 1)
    statuses.push((await limited.call('GET', `/shared/reports/nothing-${n}`)).status);
  expect(statuses).toEqual([404, 404, 404, 429, 429]);
  expect((await limited.call('GET', new URL(link.url).pathname)).status).toBe(200);
});

test('every invariant holds', async () => {
  expect(await api().findings()).toEqual([]);
});
