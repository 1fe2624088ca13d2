import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { startApi } from '../../../src/api/start-api.ts';
import { openApp } from '../../../src/app/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { scopes } from '../../../src/core/accounts/api-key.ts';
import { createLog } from '../../../src/log.ts';
import { request, type Answer, type Call } from '../../support/api/test-api.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { killNode, startStandby, type PostgresNode } from '../../support/db/replicated-postgres.ts';
import { openReplicatedRecord, recordAt } from '../../support/replica/replicated-record.ts';
import { takeSeed } from '../../support/seed.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';

const kills = 4;
const rowsOfBatch = 3000;
const homes = createHomes();
let primary: PostgresNode;
let environment: Environment;
let batchId = '';

beforeAll(async () => {
  const record = await openReplicatedRecord(homes, rowsOfBatch);
  ({ primary, batchId } = record);
  environment = {
    ...record.environment,
    NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: '1000000',
    NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: '1000000',
  };
});

afterAll(async () => {
  await killNode(primary);
  await homes.clear();
});

/** A server that reads from a standby. */
async function openServer(standby: PostgresNode) {
  const home = mkdtempSync(join(tmpdir(), 'nightshift-readers-'));
  const settings = {
    ...environment,
    NIGHTSHIFT_READER_URL: recordAt(standby),
    NIGHTSHIFT_HOME: home,
    PORT: '0',
  };
  const app = await openApp(readConfig(settings), { log: createLog('silent'), onProgress: () => undefined });
  const api = await startApi(app);
  onTestFinished(async () => {
    await api.close();
    await app.close();
  });
  const by = { actor: 'test', address: null };
  const { key } = await app.accounts.keys.create(
    app.accounts.defaultId,
    { name: 'test', scopes, expiresAt: null },
    by,
  );
  return (method: string, path: string, call: Call = {}) =>
    request(`${api.url}${path}`, method, { key, ...call });
}

type Server = Awaited<ReturnType<typeof openServer>>;

/** Requests that only read; each has the same answer as long as nothing is written. */
function readingsOf(call: Server): readonly (() => Promise<Answer>)[] {
  const sql = 'SELECT count(*) AS n FROM batches';
  return [
    () => call('GET', `/v1/batches/${batchId}/rows?limit=50`),
    () => call('GET', `/v1/batches/${batchId}/export?format=csv`),
    () => call('GET', '/v1/rows/export?since=2020-01-01'),
    () => call('GET', `/v1/batches/${batchId}/facets`),
    () => call('POST', '/v1/sql', { json: { query: sql } }),
    () => call('GET', '/v1/ledger'),
  ];
}

async function countReadings(call: Server): Promise<{ readonly replica: number; readonly repeated: number }> {
  const { status, text } = await call('GET', '/metrics');
  expect(status).toBe(200);
  const count = (server: string) =>
    Number(new RegExp(`^nightshift_readings\\{server="${server}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  return { replica: count('replica'), repeated: count('repeated') };
}

test(`requests keep their answers while their replica is killed ${kills} times at random moments`, async () => {
  const random = numbersOf(takeSeed());
  const folder = await homes.make();
  const startAt = (round: number, port?: number) =>
    startStandby(primary, {
      dataFolder: join(folder, `standby-${round}`),
      ...(port === undefined ? {} : { port }),
    });
  let standby = await startAt(0);
  const call = await openServer(standby);
  const readings = readingsOf(call);
  const expected = await Promise.all(readings.map((read) => read()));
  expect(expected.map(({ status }) => status)).toEqual(readings.map(() => 200));

  let isOver = false;
  let answers = 0;
  const mistakes: unknown[] = [];
  const readAgain = async (read: () => Promise<Answer>, at: number) => {
    while (!isOver) {
      const answer = await read();
      if (answer.status !== 200 || bodyOf(answer) !== bodyOf(expected[at])) mistakes.push(answer);
      answers += 1;
    }
  };
  const readers = Promise.all(readings.map(readAgain));
  try {
    for (let kill = 1; kill <= kills; kill += 1) {
      const { replica } = await countReadings(call);
      // It is left alone for some seconds after the last one was lost.
      await expect.poll(async () => (await countReadings(call)).replica).toBeGreaterThan(replica);
      await delay(random(300));
      await killNode(standby);
      const before = answers;
      await expect.poll(() => answers).toBeGreaterThan(before + 20);
      standby = await startAt(kill, standby.port);
    }
  } finally {
    isOver = true;
    await readers;
    await killNode(standby);
  }
  expect(mistakes).toEqual([]);
});

test('a request sees what an earlier one has written, whichever server answers', async () => {
  const folder = await homes.make();
  // It is behind for as long as a reading may wait.
  const settings = { recovery_min_apply_delay: '200ms' };
  const standby = await startStandby(primary, { dataFolder: join(folder, 'standby'), settings });
  onTestFinished(() => killNode(standby));
  const call = await openServer(standby);
  const before = await countReadings(call);
  for (let n = 0; n < 4; n += 1) {
    for (const [path, state] of [
      ['pause', 'paused'],
      ['resume', 'running'],
    ] as const) {
      expect((await call('POST', `/v1/batches/${batchId}/${path}`)).status).toBe(200);
      const { text } = await call('GET', `/v1/batches/${batchId}`);
      expect(text).toContain(`"state":"${state}"`);
    }
  }
  expect((await countReadings(call)).replica).toBeGreaterThan(before.replica);
});

/** Without the identifier and the moment of the response. */
function bodyOf(answer: Answer | undefined): string {
  return (answer?.text ?? '').replace(/"(request_id|timestamp|elapsed_ms|took_ms)":("[^"]*"|[\d.]+)/g, '');
}
