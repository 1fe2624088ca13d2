import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { scopes } from '../../src/core/accounts/api-key.ts';
import { openTestApi, request, type TestApi } from '../support/api/test-api.ts';
import { startNightshift } from '../support/cli/nightshift-process.ts';
import { randomRuns } from '../support/faults/random-runs.ts';
import { takeSeed } from '../support/seed.ts';
import { numbersOf } from '../support/stand-in/stand-in-ads.ts';

const servers = 4;
const regenerations = randomRuns(1000);
/** Number of keys, regenerated in parallel, each one sequentially. */
const keys = 4;
const clients = 4;
/** Number of generations that a client goes back for an old key. */
const reach = 5;
const wide = {
  NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: '10000000',
  NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: '10000000',
  NIGHTSHIFT_BAD_KEYS_PER_MINUTE: '10000000',
};

/** A generation of the key; times by `performance.now()`. */
interface Generation {
  readonly id: string;
  readonly key: string;
  /** Start of its regeneration; from then on the key may or may not be valid. */
  askedAt: number;
  /** Arrival of the response; from then on the key must be invalid. */
  retiredAt: number;
}

interface Tally {
  oldRefused: number;
  newPassed: number;
  /** Requests during a regeneration: either response is correct. */
  between: number;
  readonly wrong: string[];
}

test('an old key is rejected by all 4 servers after each of 1,000 regenerations under load', async () => {
  const random = numbersOf(takeSeed());
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const api = await openTestApi();
  onTestFinished(api.close);
  const urls = await startServers(api);
  const admin = await api.createKey({ scopes: [...scopes] });
  const lines = await Promise.all(Array.from({ length: keys }, async () => [await firstGeneration(api)]));
  const tally: Tally = { oldRefused: 0, newPassed: 0, between: 0, wrong: [] };
  const load = { isOn: true };

  async function ask(url: string, generation: Generation): Promise<void> {
    const beganAt = performance.now();
    const status = await statusOf(`${url}/v1/credits`, generation.key, agent);
    evaluate(tally, generation, { beganAt, endedAt: performance.now(), status, url });
  }

  async function keepAsking(): Promise<void> {
    while (load.isOn) {
      const line = lines[random(keys)] ?? [];
      const back = random(2) === 0 ? 1 : 1 + random(Math.min(reach, line.length));
      const generation = line.at(-back);
      if (generation !== undefined) await ask(pick(urls, random(servers)), generation);
    }
  }

  async function keepRegenerating(line: Generation[]): Promise<void> {
    for (let n = 0; n < regenerations / keys; n += 1) {
      const old = line[n];
      if (old === undefined) throw new Error(`There is no generation ${n}.`);
      old.askedAt = performance.now();
      const path = `/v1/account/api-keys/${old.id}/regenerate`;
      const answer = await request(`${pick(urls, random(servers))}${path}`, 'POST', { key: admin });
      old.retiredAt = performance.now();
      expect(answer.status, answer.text).toBe(201);
      const next = toGeneration(answer.json() as { id: string; key: string });
      line.push(next);
      // At once, mostly at other servers than the one that responded: the old key is invalid and the new one valid.
      await Promise.all([ask(pick(urls, random(servers)), old), ask(pick(urls, random(servers)), next)]);
    }
  }

  const loading = Array.from({ length: clients }, keepAsking);
  const startedAt = performance.now();
  await Promise.all(lines.map(keepRegenerating));
  const seconds = (performance.now() - startedAt) / 1000;
  load.isOn = false;
  await Promise.all(loading);
  // At the end, every server rejects all of the last old keys.
  const lastOld = lines.flatMap((line) => line.slice(-1 - reach, -1));
  await Promise.all(lastOld.flatMap((old) => urls.map((url) => ask(url, old))));

  const { oldRefused, newPassed, between, wrong } = tally;
  process.stderr.write(
    `\n${regenerations} regenerations in ${seconds.toFixed(1)} s at ${servers} servers: ${oldRefused} requests with an old ` +
      `key refused, ${newPassed} with the new one passed, ${between} were under way meanwhile, ${wrong.length} wrong\n`,
  );
  expect(wrong).toEqual([]);
  expect(oldRefused).toBeGreaterThanOrEqual(regenerations);
  // No new key is regenerated during its first request.
  expect(newPassed).toBeGreaterThanOrEqual(regenerations);
  expect(await countKeys(api)).toEqual({ good: keys, revoked: regenerations });
  expect(await api.findings()).toEqual([]);
});

/** Expected response, by the state at the start of the request and at the arrival of its response. */
function evaluate(
  tally: Tally,
  generation: Generation,
  { beganAt, endedAt, status, url }: { beganAt: number; endedAt: number; status: number; url: string },
): void {
  const { askedAt, retiredAt } = generation;
  const isOld = beganAt >= retiredAt;
  const isNew = endedAt < askedAt;
  if (isOld && status === 401) tally.oldRefused += 1;
  else if (isNew && status === 200) tally.newPassed += 1;
  else if (!isOld && !isNew && (status === 200 || status === 401)) tally.between += 1;
  else {
    const since = isOld
      ? `${(beganAt - retiredAt).toFixed(2)} ms after the answer`
      : 'while it was the newest';
    tally.wrong.push(`${status} at ${url}, asked ${since}`);
  }
}

/** Cheaper than `fetch`, so that the servers get the CPU. */
async function statusOf(url: string, key: string, agent: Agent): Promise<number> {
  const sent = get(url, { agent, headers: { 'X-API-Key': key } });
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode ?? 0;
}

async function startServers(api: TestApi): Promise<readonly string[]> {
  const environment = { ...wide, DATABASE_URL: api.database.url, PORT: '0', NIGHTSHIFT_SOURCES: 'sample' };
  return Promise.all(
    Array.from({ length: servers }, async () => {
      const running = startNightshift(['serve'], environment);
      await running.waitForOutput('Press Ctrl-C to stop');
      const url = /Console +(\S+)/.exec(running.stderr())?.[1];
      if (url === undefined) throw new Error(`It does not say where it listens:\n${running.stderr()}`);
      return url;
    }),
  );
}

async function firstGeneration({ app }: TestApi): Promise<Generation> {
  const key = { name: 'regenerated', scopes: ['credits:read'] as const, expiresAt: null };
  const created = await app.accounts.keys.create(app.accounts.defaultId, key, {
    actor: 'test',
    address: null,
  });
  return toGeneration({ id: created.keyId, key: created.key });
}

function toGeneration({ id, key }: { readonly id: string; readonly key: string }): Generation {
  return { id, key, askedAt: Infinity, retiredAt: Infinity };
}

async function countKeys({ app }: TestApi) {
  const all = (await app.accounts.keys.list(app.accounts.defaultId)).filter(
    ({ name }) => name === 'regenerated',
  );
  const revoked = all.filter(({ revokedAt }) => revokedAt !== null).length;
  return { good: all.length - revoked, revoked };
}

function pick(from: readonly string[], n: number): string {
  return from[n % from.length] ?? '';
}
