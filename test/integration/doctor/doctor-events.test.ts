import { expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examineEvents } from '../../../src/doctor/checks/collect-events.ts';
import { openTestDatabase } from '../../support/db/database.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { openMailServer } from '../../support/events/mail-server.ts';

/** Result of the doctor on events, after the statements have run. */
async function examine(statements: string, settings: Environment = {}) {
  const { owner } = await openTestDatabase();
  await owner.pool.query(statements);
  return examineEvents(readConfig(settings), { database: owner, isMigrated: true });
}

function webhook(name: string, { kind = 'slack', state = 'active', reason = 'NULL' } = {}): string {
  return `INSERT INTO nightshift.webhooks (public_id, account_id, name, kind, target, events, state, state_reason)
    VALUES ('whk_${name}', 1, '${name}', '${kind}', 'https://hooks.slack.com/services/secret', '{}', '${state}', ${reason});`;
}

test('doctor has no check of webhooks without enabled webhooks', async () => {
  expect(await examine('SELECT 1')).toEqual([]);
  expect(await examine(webhook('off', { state: 'disabled', reason: `'by request'` }))).toEqual([]);
});

test('doctor reports ok for enabled webhooks', async () => {
  expect(await examine(webhook('one') + webhook('two'))).toEqual([
    { name: 'webhooks', status: 'ok', found: '2 enabled, no abandoned events', remedy: null },
  ]);
});

test('doctor names a disabled webhook with the reason and the command to enable it', async () => {
  const reason = `'it wants no more events (hooks.slack.com answered 410: it is gone)'`;
  const [finding, ...others] = await examine(webhook('one') + webhook('gone', { state: 'disabled', reason }));
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    status: 'warning',
    found: expect.stringContaining('"gone" is disabled') as string,
  });
  expect(finding?.remedy).toContain('nightshift webhook test "gone"');
  expect(JSON.stringify(finding)).not.toContain('secret');
});

test('doctor counts abandoned events, with the last error', async () => {
  const findings = await examine(`${webhook('one')}
    SELECT nightshift.emit_event(1, 'credits.low', n::text, '{}') FROM generate_series(1, 3) n;
    INSERT INTO nightshift.webhook_deliveries (event_id, webhook_id, state, last_error)
      SELECT n.id, w.id, CASE WHEN n.subject = '3' THEN 'pending' ELSE 'dead' END, 'it answered ' || n.subject
      FROM nightshift.events n, nightshift.webhooks w;`);
  expect(findings).toMatchObject([
    {
      status: 'warning',
      found: '2 events were not delivered to "one". Last error: it answered 2',
      remedy: 'Fix the error, then run `nightshift webhook replay "one" --dead`.',
    },
  ]);
});

test('doctor requires a mail server for webhooks by mail', async () => {
  const findings = await examine(webhook('jane', { kind: 'email' }));
  expect(findings).toMatchObject([
    { name: 'webhooks', status: 'ok' },
    { name: 'mail', status: 'problem', found: '1 webhook sends mail, but no mail server is configured' },
  ]);
});

test('doctor checks that the configured mail server accepts mail', async () => {
  const server = await openMailServer();
  const settings = (url: string) => ({ NIGHTSHIFT_SMTP_URL: url, NIGHTSHIFT_MAIL_FROM: 'n@example.com' });
  expect(await examine('SELECT 1', settings(server.url))).toMatchObject([{ name: 'mail', status: 'ok' }]);
  const wrong = await examine('SELECT 1', settings(server.url.replace('a%20secret', 'hidden')));
  expect(wrong).toMatchObject([
    { status: 'problem', found: expect.stringContaining('accepts no mail') as string },
  ]);
  expect(JSON.stringify(wrong)).not.toContain('hidden');
  await server.close();
  expect(await examine('SELECT 1', settings(server.url))).toMatchObject([
    { name: 'mail', status: 'problem' },
  ]);
  expect(server.mails).toEqual([]);
});

test('doctor checks the mail server without a database', async () => {
  const server = await openMailServer();
  const config = readConfig({ NIGHTSHIFT_SMTP_URL: server.url, NIGHTSHIFT_MAIL_FROM: 'n@example.com' });
  const findings = await examineEvents(config, { database: null, isMigrated: false });
  expect(findings).toMatchObject([{ name: 'mail', status: 'ok' }]);
});
