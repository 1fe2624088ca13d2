import { expect, test } from 'vitest';
import { codesOf, openApiDesk, type ApiDesk } from '../../support/api/test-api.ts';
import { openMailServer } from '../../support/events/mail-server.ts';

const path = '/v1/webhooks';

async function openDesk() {
  const server = await openMailServer();
  const desk = await openApiDesk({
    workers: true,
    settings: { NIGHTSHIFT_SMTP_URL: server.url, NIGHTSHIFT_MAIL_FROM: 'nightshift@example.com' },
  });
  return {
    desk,
    mails: server.mails,
    key: await desk.createKey({ scopes: ['admin', 'batches:write', 'ads:search'] }),
  };
}

async function withDesk(
  work: (opened: Awaited<ReturnType<typeof openDesk>>) => Promise<void>,
): Promise<void> {
  const opened = await openDesk();
  try {
    await work(opened);
  } finally {
    await opened.desk.close();
  }
}

interface Made {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
}

async function add(desk: ApiDesk, key: string, email: string, name = email): Promise<Made> {
  const answer = await desk.call('POST', path, { key, json: { name, email } });
  expect(answer.status, answer.text).toBe(201);
  return answer.json() as Made;
}

async function stateOf(desk: ApiDesk, key: string, id: string): Promise<string> {
  return ((await desk.call('GET', `${path}/${id}`, { key })).json() as Made).state;
}

/** The link in a mail, as a mail program shows it: long lines are wrapped in quoted-printable. */
function linkIn(source: string): URL {
  const plain = source.replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=');
  return new URL(/https?:\/\/\S+\/webhooks\/confirm\/[\w-]+/.exec(plain)?.[0] ?? '');
}

test('a mailbox is asked once and told nothing until whoever reads it has confirmed it', () =>
  withDesk(async ({ desk, key, mails }) => {
    const made = await add(desk, key, 'jane@example.com');
    expect([made.state, made.reason]).toEqual(['unconfirmed', expect.stringContaining('waits for a click')]);
    expect(mails).toHaveLength(1);
    const rows = { rows: [{ company_domain: 'nike.com' }] };
    const batch = (await desk.call('POST', '/v1/batches', { key, json: rows })).json() as { id: string };
    await expect.poll(() => finished(desk, batch.id)).toBe(true);
    expect((await desk.call('PATCH', `${path}/${made.id}`, { key, json: { state: 'active' } })).status).toBe(
      409,
    );
    const link = linkIn(mails[0]?.source ?? '');
    const looked = await desk.call('GET', link.pathname);
    expect([looked.status, await stateOf(desk, key, made.id)]).toEqual([200, 'unconfirmed']);
    expect(mails).toHaveLength(1);
    expect((await desk.call('POST', link.pathname)).text).toContain('jane@example.com');
    expect(await stateOf(desk, key, made.id)).toBe('active');
    expect((await desk.call('POST', link.pathname)).status).toBe(404);
    await desk.call('POST', '/v1/batches', { key, json: { rows: [{ company_domain: 'puma.com' }] } });
    const told = () => mails.filter(({ source }) => source.includes('The list "rows.json" is done'));
    await expect.poll(() => told().length).toBe(1);
  }));

test('another mailbox is asked anew, and a test sends a new link, which ends the one before', () =>
  withDesk(async ({ desk, key, mails }) => {
    const { id } = await add(desk, key, 'first@example.com');
    await desk.call('POST', linkIn(mails[0]?.source ?? '').pathname);
    await desk.call('PATCH', `${path}/${id}`, { key, json: { email: 'second@example.com' } });
    expect([await stateOf(desk, key, id), mails[1]?.to]).toEqual(['unconfirmed', ['second@example.com']]);
    await desk.call('POST', `${path}/${id}/test`, { key });
    const [, before, after] = mails.map(({ source }) => linkIn(source).pathname);
    expect((await desk.call('POST', before ?? '')).status).toBe(404);
    expect((await desk.call('POST', after ?? '')).status).toBe(200);
  }));

test('an account has few mails an hour sent on request, and so does a mailbox, whoever asks', () =>
  withDesk(async ({ desk, key, mails }) => {
    const { id } = await add(desk, key, 'victim@example.com');
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1)
      statuses.push((await desk.call('POST', `${path}/${id}/test`, { key })).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
    await desk.createAccount('second', 10n);
    const theirs = await desk.createKey({ account: 'second', scopes: ['admin'] });
    const again = await desk.call('POST', path, {
      key: theirs,
      json: { name: 'x', email: 'Victim@example.com' },
    });
    expect([again.status, codesOf(again)]).toEqual([429, ['rate_limit_exceeded']]);
    for (let n = 0; n < 10; n += 1)
      await desk.call('POST', path, { key: theirs, json: { name: `x${n}`, email: `x${n}@example.com` } });
    expect(mails.filter(({ to }) => to[0]?.startsWith('x')).length).toBeLessThan(10);
    expect(mails.length).toBeLessThanOrEqual(15);
  }));

async function finished({ database }: ApiDesk, id: string): Promise<boolean> {
  const { rows } = await database.owner.pool.query<{ state: string }>(
    'SELECT state FROM nightshift.batches WHERE public_id = $1',
    [id],
  );
  return rows[0]?.state === 'finished';
}
