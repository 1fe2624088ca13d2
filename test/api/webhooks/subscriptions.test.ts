import { expect, onTestFinished, test } from 'vitest';
import { codesOf, openTestApi, type ProblemBody } from '../../support/api/test-api.ts';
import { signInAs } from '../../support/api/session-calls.ts';
import { createSchedulesApi } from '../../support/api/schedules-api.ts';
import { uploadBatch, waitForState } from '../../support/api/uploaded-batch.ts';
import { openMailServer } from '../../support/events/mail-server.ts';

const list = '/v1/subscriptions';
const by = { actor: 'test', address: null };
const noBatch = 'bat_01a1ff734ad97655b2c761ba36458456';

test('a subscription to a batch sends one mail to its user when the batch finishes', async () => {
  const { api, key, mailsTo, deliveriesAbout, waitingBatch } = await openSite();
  const member = await signInAs(api, 'member');
  const viewer = await signInAs(api, 'viewer');
  const batch = await waitingBatch('nike.com');
  const path = `/v1/batches/${batch}/subscription`;
  const subscribed = await member('POST', path);
  expect([subscribed.status, subscribed.json()]).toMatchObject([
    200,
    {
      email: 'member-of-default@example.com',
      unavailable: null,
      subscriptions: [{ kind: 'batch', id: batch }],
    },
  ]);
  expect((await member('POST', path)).json()).toMatchObject({ subscriptions: [{ id: batch }] });
  const other = await waitingBatch('airbnb.com');
  for (const id of [batch, other])
    await api.call('POST', `/v1/batches/${id}/resume`, { key, json: { max_credits: 10 } });
  await waitForState(api, key, other, 'finished');
  await expect.poll(() => deliveriesAbout(batch)).toEqual(['batch.completed delivered active']);
  expect(mailsTo('member')).toHaveLength(1);
  expect(mailsTo('viewer')).toHaveLength(0);
  expect((await viewer('GET', list)).json()).toMatchObject({ subscriptions: [] });
  const admin = await api.createKey({ scopes: ['admin'] });
  expect((await api.call('GET', '/v1/webhooks', { key: admin })).json()).toMatchObject({ webhooks: [] });
  expect((await member('DELETE', path)).json()).toMatchObject({ subscriptions: [] });
});

test('a subscription to a schedule sends scans with changes or failures, and one mail for two subscriptions', async () => {
  const { api, key, schedules, mailsTo, emit, deliveriesAbout, finishedBatch } = await openSite();
  const viewer = await signInAs(api, 'viewer');
  const { id } = await schedules.add(key, { name: 'followed' });
  const batch = await finishedBatch('adobe.com');
  await viewer('POST', `/v1/schedules/${id}/subscription`);
  await viewer('POST', `/v1/batches/${batch}/subscription`);
  const scan = (changes: object, failed = 0) => ({ schedule_id: id, companies: { failed }, changes });
  await emit('scan.changes', 'same', scan({ new: 0, ended: 0, baseline: 0 }));
  await emit('scan.changes', 'new', { ...scan({ new: 2, ended: 0 }), batch });
  await emit('scan.changes', 'failed', scan({ new: 0 }, 1));
  await emit('schedule.missed', 'missed', { schedule_id: id });
  await emit('scan.changes', 'another', { ...scan({ new: 1 }), schedule_id: 'sch_other' });
  await emit('credits.low', 'low', {});
  await expect.poll(() => mailsTo('viewer').length).toBe(3);
  expect([await deliveriesAbout(id), await deliveriesAbout(batch)]).toEqual([
    ['scan.changes delivered active', 'scan.changes delivered active', 'schedule.missed delivered active'],
    [],
  ]);
  expect((await viewer('GET', list)).json()).toMatchObject({
    subscriptions: [
      { kind: 'batch', id: batch },
      { kind: 'schedule', id, name: 'followed' },
    ],
  });
  await viewer('DELETE', `/v1/batches/${batch}/subscription`);
  await viewer('DELETE', `/v1/schedules/${id}/subscription`);
});

test('of a deleted batch, a removed schedule or a disabled user, nothing more is sent', async () => {
  const { api, key, schedules, query, emit, deliveriesAbout, finishedBatch } = await openSite();
  const leaving = await signInAs(api, 'admin');
  const { id: schedule } = await schedules.add(key, { name: 'short-lived' });
  const { id: kept } = await schedules.add(key, { name: 'kept' });
  const batch = await finishedBatch('bmw.com');
  await leaving('POST', `/v1/batches/${batch}/subscription`);
  await leaving('POST', `/v1/schedules/${schedule}/subscription`);
  await leaving('POST', `/v1/schedules/${kept}/subscription`);
  await leaving('DELETE', `/v1/batches/${batch}`);
  await leaving('DELETE', `/v1/schedules/${schedule}`);
  expect((await leaving('GET', list)).json()).toMatchObject({ subscriptions: [{ id: kept }] });
  await api.app.accounts.users.setDisabled('admin-of-default@example.com', true, by);
  await emit('batch.completed', 'deleted', { batch });
  for (const id of [schedule, kept]) await emit('schedule.missed', `gone ${id}`, { schedule_id: id });
  const { rows } = await query<{ state: string; reason: string }>(
    `SELECT w.state, w.state_reason AS reason FROM nightshift.webhooks w JOIN nightshift.users u ON u.id = w.user_id
      WHERE u.role = 'admin' ORDER BY w.id`,
    [],
  );
  expect(rows).toEqual([
    { state: 'removed', reason: 'the batch was deleted' },
    { state: 'removed', reason: 'the schedule was removed' },
    { state: 'removed', reason: 'the user was disabled' },
  ]);
  for (const id of [batch, schedule, kept]) expect(await deliveriesAbout(id)).toEqual([]);
});

test('a user who is disabled abandons pending mails', async () => {
  const { api, key, schedules, mailsTo, deliveriesAbout } = await openSite();
  const { id } = await schedules.add(key, { name: 'pending' });
  const operator = await signInAs(api, 'operator');
  await operator('POST', `/v1/schedules/${id}/subscription`);
  const client = await api.database.owner.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `SELECT nightshift.emit_event(1, 'schedule.missed', 'late', jsonb_build_object('schedule_id', $1::text))`,
      [id],
    );
    await client.query(`UPDATE nightshift.users SET disabled_at = now() WHERE login LIKE 'operator-of%'`);
    await client.query('COMMIT');
  } finally {
    client.release();
  }
  expect(await deliveriesAbout(id)).toEqual(['schedule.missed dead removed']);
  expect(mailsTo('operator')).toEqual([]);
});

test('keys have no mailbox, and unknown batches and those of other accounts do not exist', async () => {
  const { api, key } = await openSite();
  await api.createAccount('second', 10n);
  const stranger = await signInAs(api, 'member', 'second');
  const batch = await uploadBatch(api, key, 'domain\nsiemens.com\n');
  for (const id of [batch, noBatch]) {
    expect((await stranger('POST', `/v1/batches/${id}/subscription`)).status).toBe(404);
    expect((await stranger('DELETE', `/v1/batches/${id}/subscription`)).status).toBe(404);
  }
  expect((await stranger('POST', '/v1/schedules/sch_1/subscription')).status).toBe(404);
  const byKey = await api.call('POST', `/v1/batches/${batch}/subscription`, { key });
  expect([byKey.status, codesOf(byKey)]).toEqual([409, ['conflict']]);
  expect((byKey.json() as ProblemBody).errors[0]?.title).toContain('A key has no mailbox');
  expect((await api.call('GET', list, { key })).json()).toEqual({
    email: null,
    unavailable: 'not_a_user',
    subscriptions: [],
  });
  const narrow = await api.createKey({ scopes: ['ads:search'] });
  expect(codesOf(await api.call('GET', list, { key: narrow }))).toEqual(['insufficient_scope']);
});

test('without a mail server, a subscription is rejected with the settings that the operator has to set', async () => {
  const api = await openTestApi();
  onTestFinished(api.close);
  const member = await signInAs(api, 'member');
  const batch = await uploadBatch(api, await api.createKey(), 'domain\nnike.com\n');
  const answer = await member('POST', `/v1/batches/${batch}/subscription`);
  expect([answer.status, (answer.json() as ProblemBody).errors[0]?.title]).toEqual([
    409,
    expect.stringContaining('The operator sets NIGHTSHIFT_SMTP_URL'),
  ]);
  expect((await member('GET', list)).json()).toMatchObject({
    email: 'member-of-default@example.com',
    unavailable: 'no_mail_server',
  });
});

async function openSite() {
  const server = await openMailServer();
  const api = await openTestApi({
    workers: true,
    settings: { NIGHTSHIFT_SMTP_URL: server.url, NIGHTSHIFT_MAIL_FROM: 'nightshift@example.com' },
  });
  onTestFinished(api.close);
  const key = await api.createKey();
  const query = <Row extends object>(text: string, values: readonly unknown[]) =>
    api.database.owner.pool.query<Row>(text, [...values]);
  return {
    api,
    key,
    query,
    schedules: createSchedulesApi(() => api),
    mailsTo: (role: string) => server.mails.filter(({ to }) => to[0] === `${role}-of-default@example.com`),
    emit: async (event: string, subject: string, payload: object) => {
      const values = [event, subject, JSON.stringify(payload)];
      await api.database.app.pool.query('SELECT nightshift.emit_event(1, $1, $2, $3)', values);
    },
    /** Deliveries to the subscriptions to a batch or schedule: event, state, state of the subscription. */
    deliveriesAbout: async (id: string): Promise<readonly string[]> => {
      const { rows } = await query<{ delivery: string }>(
        `SELECT format('%s %s %s', n.event, d.state, w.state) AS delivery FROM nightshift.webhook_deliveries d
          JOIN nightshift.events n ON n.id = d.event_id JOIN nightshift.webhooks w ON w.id = d.webhook_id
          WHERE w.name LIKE '%' || $1 ORDER BY d.event_id, w.id`,
        [id],
      );
      return rows.map(({ delivery }) => delivery);
    },
    /** A batch that waits for credits until it is resumed. */
    waitingBatch: async (domain: string): Promise<string> => {
      const call = { key, headers: { 'Content-Type': 'text/csv' }, body: `domain\n${domain}\n` };
      const answer = await api.call('POST', '/v1/batches?max_credits=0.1', call);
      const { id } = answer.json() as { id: string };
      await waitForState(api, key, id, 'waiting_for_credits');
      return id;
    },
    finishedBatch: async (domain: string): Promise<string> => {
      const id = await uploadBatch(api, key, `domain\n${domain}\n`);
      await waitForState(api, key, id, 'finished');
      return id;
    },
  };
}
