import { expect, test } from 'vitest';
import { codesOf, openTestApi, type TestApi } from '../../support/api/test-api.ts';
import { openMailServer } from '../../support/events/mail-server.ts';

const path = '/v1/webhooks';

async function openTestCli() {
  const server = await openMailServer();
  const api = await openTestApi({
    workers: true,
    settings: { NIGHTSHIFT_SMTP_URL: server.url, NIGHTSHIFT_MAIL_FROM: 'nightshift@example.com' },
  });
  return {
    api,
    mails: server.mails,
    key: await api.createKey({ scopes: ['admin', 'batches:write', 'ads:search'] }),
  };
}

async function withTestApi(
  work: (opened: Awaited<ReturnType<typeof openTestCli>>) => Promise<void>,
): Promise<void> {
  const opened = await openTestCli();
  try {
    await work(opened);
  } finally {
    await opened.api.close();
  }
}

interface Made {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
}

async function add(api: TestApi, key: string, email: string, name = email): Promise<Made> {
  const answer = await api.call('POST', path, { key, json: { name, email } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json() as Made;
}

async function stateOf(api: TestApi, key: string, id: string): Promise<string> {
  return ((await api.call('GET', `${path}/${id}`, { key })).json() as Made).state;
}

/** Link of a mail, with the line wraps of quoted-printable removed. */
function linkIn(source: string): URL {
  const plain = source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  return new URL(/https?:\/\/\S+\/webhooks\/confirm\/[\w-]+/.exec(plain)?.[0] ?? '');
}

test('a mailbox gets one request for confirmation, and no events before it is confirmed', () =>
  withTestApi(async ({ api, key, mails }) => {
    const made = await add(api, key, 'jane@example.com');
    expect([made.state, made.reason]).toEqual([
      'unconfirmed',
      expect.stringContaining('waits for confirmation'),
    ]);
    expect(mails).toHaveLength(1);
    const rows = { rows: [{ company_domain: 'nike.com' }] };
    const batch = (await api.call('POST', '/v1/batches', { key, json: rows })).json() as { id: string };
    await expect.poll(() => finished(api, batch.id)).toBe(true);
    expect((await api.call('PATCH', `${path}/${made.id}`, { key, json: { state: 'active' } })).status).toBe(
      409,
    );
    const link = linkIn(mails[0]?.source ?? '');
    const checked = await api.call('GET', link.pathname);
    expect([checked.status, await stateOf(api, key, made.id)]).toEqual([200, 'unconfirmed']);
    expect(mails).toHaveLength(1);
    expect((await api.call('POST', link.pathname)).text).toContain('jane@example.com');
    expect(await stateOf(api, key, made.id)).toBe('active');
    expect((await api.call('POST', link.pathname)).status).toBe(404);
    await api.call('POST', '/v1/batches', { key, json: { rows: [{ company_domain: 'puma.com' }] } });
    const reported = () => mails.filter(({ source }) => source.includes('"rows.json" is finished'));
    await expect.poll(() => reported().length).toBe(1);
  }));

test('the list names the sender of mails, and never the login of the mail server', () =>
  withTestApi(async ({ api, key }) => {
    const listed = await api.call('GET', path, { key });
    expect(listed.json()).toEqual({ webhooks: [], mail_from: 'nightshift@example.com' });
  }));

test('a changed mailbox needs a new confirmation, and a test mail replaces the link before', () =>
  withTestApi(async ({ api, key, mails }) => {
    const { id } = await add(api, key, 'first@example.com');
    await api.call('POST', linkIn(mails[0]?.source ?? '').pathname);
    await api.call('PATCH', `${path}/${id}`, { key, json: { email: 'second@example.com' } });
    expect([await stateOf(api, key, id), mails[1]?.to]).toEqual(['unconfirmed', ['second@example.com']]);
    await api.call('POST', `${path}/${id}/test`, { key });
    const [, before, after] = mails.map(({ source }) => linkIn(source).pathname);
    expect((await api.call('POST', before ?? '')).status).toBe(404);
    expect((await api.call('POST', after ?? '')).status).toBe(200);
  }));

test('mails on request are limited per account and per mailbox, across accounts', () =>
  withTestApi(async ({ api, key, mails }) => {
    const { id } = await add(api, key, 'victim@example.com');
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push((await api.call('POST', `${path}/${id}/test`, { key })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    await api.createAccount('second', 10n);
    const theirs = await api.createKey({ account: 'second', scopes: ['admin'] });
    const again = await api.call('POST', path, {
      key: theirs,
      json: { name: 'x', email: 'Victim@example.com' },
    });
    expect([again.status, codesOf(again)]).toEqual([429, ['rate_limit_exceeded']]);
    for (let n = 0; n < 10; n += 1)
      await api.call('POST', path, { key: theirs, json: { name: `x${n}`, email: `x${n}@example.com` } });
    expect(mails.filter(({ to }) => to[0]?.startsWith('x')).length).toBeLessThan(10);
    expect(mails.length).toBeLessThanOrEqual(15);
  }));

async function finished({ database }: TestApi, id: string): Promise<boolean> {
  const { rows } = await database.owner.pool.query<{ state: string }>(
    'SELECT state FROM nightshift.batches WHERE public_id = $1',
    [id],
  );
  return rows[0]?.state === 'finished';
}
