import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { parseEmailQuery } from '../../../src/core/emails/syntax/email-query.ts';
import { createLog } from '../../../src/log.ts';
import { createTestDatabase } from '../../support/db/database.ts';
import { startDnsServer } from '../../support/dns-smtp/dns-server.ts';
import { openProbingFixture } from '../../support/dns-smtp/probing-fixture.ts';
import { openScriptedServer, type ServerScript } from '../../support/dns-smtp/scripted-server.ts';

/** Runs the product in this process with a scripted mail server, and records its log. */
async function openAsking(script: ServerScript) {
  const server = await openScriptedServer(script);
  const fixture = await openProbingFixture([{ domain: 'acme.com', port: server.port }]);
  const dns = await startDnsServer(fixture.zone);
  const database = await createTestDatabase();
  const home = mkdtempSync(join(tmpdir(), 'nightshift-closing-'));
  onTestFinished(async () => {
    await database.close();
    await dns.close();
    await fixture.close();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  });
  const config = readConfig({
    DATABASE_URL: database.url,
    NIGHTSHIFT_HOME: home,
    NIGHTSHIFT_DNS_SERVERS: dns.server,
    ...fixture.settings,
  });
  const logged: string[] = [];
  const log = createLog('info', (line) => void logged.push(line));
  const app = await openApp(config, { log, onProgress: () => undefined });
  return { app, logged, database, server };
}

async function openSessions(database: Awaited<ReturnType<typeof createTestDatabase>>): Promise<number> {
  const { rows } = await database.owner.pool.query('SELECT 1 FROM nightshift.probe_sessions');
  return rows.length;
}

function validate({ app }: Awaited<ReturnType<typeof openAsking>>, email: string) {
  const {
    accounts: { defaultId: accountId },
  } = app;
  return app.lookups.validateEmail({ accountId, address: parseEmailQuery(email), requestId: 'req_closing' });
}

test('close waits for a session with a slow mail server to quit, and releases its work', async () => {
  const asking = await openAsking({ quit: null });
  expect((await validate(asking, 'ghost@acme.com')).verdict).toMatchObject({ status: 'invalid' });
  await asking.app.close();
  expect(asking.logged).toEqual([]);
  expect(await openSessions(asking.database)).toBe(0);
});

test('close aborts a session with a silent server, and releases its work', async () => {
  const asking = await openAsking({ rcpt: null });
  const answer = validate(asking, 'silent@acme.com').catch(() => undefined);
  await expect.poll(() => asking.server.lines.some((line) => line.startsWith('RCPT'))).toBe(true);
  asking.app.lookups.abort();
  await answer;
  await asking.app.close();
  expect(asking.logged).toEqual([]);
  expect(await openSessions(asking.database)).toBe(0);
});
