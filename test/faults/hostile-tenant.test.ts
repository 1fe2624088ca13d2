import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ensurePrivateServer } from '../../src/postgres-server/index.ts';
import { openAsker, type Ask, type Asked } from '../support/attack/ask.ts';
import { attacks, type Attack, type Attacker } from '../support/attack/attacks.ts';
import { watchMemory } from '../support/attack/measure-memory.ts';
import { openTestCli, type TestCli } from '../support/cli/test-cli.ts';
import type { NightshiftProcess } from '../support/cli/nightshift-process.ts';
import { createHomes } from '../support/db/private-postgres-folders.ts';

/** Duration of all attacks, sequentially and repeatedly. In the gate one round; `NIGHTSHIFT_TEST_ATTACK_MINUTES=30` for a long run. */
const minutes = Number(process.env['NIGHTSHIFT_TEST_ATTACK_MINUTES'] ?? '0');
const sliceMs = minutes === 0 ? 4000 : 20_000;
/** Pause between two requests of the victim; two such clients run concurrently. */
const restMs = 40;
/** Maximum latency of the other account, at the 99th percentile. */
const p99MsMax = 1000;
/**
 * MiB. The private server limits one process to 256 above its initial size; four queries run concurrently, besides those of
 * account logins.
 */
const memoryMax = { server: 1000, postgres: 3000, backend: 600 } as const;
const secret = 'only-for-the-first-account';

const homes = createHomes();
let api: TestCli;
let server: NightshiftProcess;
let url: string;
let postmasterPid: number;

beforeAll(async () => {
  const home = await homes.make();
  api = openTestCli({
    NIGHTSHIFT_HOME: home,
    NIGHTSHIFT_SOURCES: 'sample',
    NIGHTSHIFT_KEY_REQUESTS_PER_MINUTE: '10000000',
    NIGHTSHIFT_ACCOUNT_REQUESTS_PER_MINUTE: '10000000',
  });
  server = api.start(['up']);
  await server.waitForOutput('Press Ctrl-C to stop');
  url = /Console +(\S+)/.exec(server.stderr())?.[1] ?? '';
  // Already running: this only reads its pid.
  postmasterPid = (await ensurePrivateServer({ home })).pid;
});

afterAll(async () => {
  await api.close();
  await homes.clear();
});

test.runIf(process.platform === 'linux')(
  'a hostile account cannot delay or read another account, and memory is bounded',
  async () => {
    const victim = await openVictim();
    const answers = new Map<string, Map<number, number>>();
    let current = 'nothing';
    const attacker = await openAttacker(victim, (status) => {
      const counts = answers.get(current) ?? new Map<number, number>();
      answers.set(current, counts.set(status, (counts.get(status) ?? 0) + 1));
    });
    const memory = watchMemory(server.pid, postmasterPid);
    const measured = new Map<string, Asked[]>();
    const isOver = { value: false };
    const clients = [0, 1].map(async (client) => {
      for (let n = client; !isOver.value; n += 2) {
        const during = current;
        measured.set(during, [...(measured.get(during) ?? []), await victim.askOnce(n)]);
        await sleep(restMs);
      }
    });
    await sleep(sliceMs);
    const endsAt = performance.now() + minutes * 60_000;
    do
      for (const attack of attacks) {
        current = attack.name;
        await keepUp(attack, attacker.attacker, sliceMs);
      }
    while (performance.now() < endsAt);
    isOver.value = true;
    await Promise.all(clients);
    const peaks = memory.stop();
    report(measured, answers, peaks);

    const all = [...measured.values()].flat();
    expect(all.filter(({ status }) => status !== 200).map(({ status, text }) => [status, text])).toEqual([]);
    expect(percentile(all, 0.99)).toBeLessThan(p99MsMax);
    expect(attacker.leaked()).toEqual([]);
    // Every response matches its request: a client error, or too many requests. 503 means that the passwords of other requests
    // are being checked.
    const failures = [...answers].flatMap(([during, counts]) =>
      [...counts.keys()].filter((status) => status >= 500).map((status) => `${during}: ${status}`),
    );
    expect(failures.filter((failure) => failure !== 'passwords: 503')).toEqual([]);
    expect(peaks.server).toBeLessThan(memoryMax.server);
    expect(peaks.postgres).toBeLessThan(memoryMax.postgres);
    expect(peaks.backend).toBeLessThan(memoryMax.backend);
    expect(server.isRunning()).toBe(true);
    // Without a timeout: after half an hour there is a lot of data.
    expect(await api.start(['verify']).ended).toMatchObject({ exitCode: 0 });
  },
  minutes * 60_000 + 240_000,
);

interface Victim {
  readonly batch: string;
  readonly login: string;
  /** Sends the `n`th of the requests of a user with a console and a program. */
  readonly askOnce: (n: number) => Promise<Asked>;
}

async function openVictim(): Promise<Victim> {
  const key = await createKey('default');
  const { ask } = openAsker(url, '127.0.0.1', { 'X-API-Key': key });
  const batch = await finishList(ask, `domain,note\nnike.com,${secret}\nadidas.com,${secret}\n`);
  const login = 'victim@example.com';
  await api.ask(['users', 'add', login]);
  const paths = [
    '/v1/batches',
    `/v1/batches/${batch}`,
    `/v1/batches/${batch}/rows`,
    '/v1/credits',
    '/v1/ledger',
  ];
  const asks: readonly ((n: number) => Promise<Asked>)[] = [
    ...paths.map((path) => () => ask(path)),
    () => ask('/v1/sql', { method: 'POST', json: { query: 'select count(*) from lookups' } }),
    () => ask('/v1/ads/google-ads-search', { method: 'POST', json: { company_domain: 'nike.com' } }),
    () => ask(`/v1/batches/${batch}/export`),
  ];
  return {
    batch,
    login,
    askOnce: (n) => (asks[n % asks.length] ?? (() => ask('/v1/credits')))(n),
  };
}

async function openAttacker(victim: Victim, onStatus: (status: number) => void) {
  await api.ask(['accounts', 'add', 'rival']);
  await api.ask(['credits', 'grant', '1000', '--account', 'rival', '--reason', 'test']);
  const key = await createKey('rival');
  const { url: databaseUrl } = (await api.ask(['accounts', 'login', 'rival'])) as { url: string };
  const leaks = new Set<string>();
  const onText = (text: string) => {
    const at = text.indexOf(secret);
    if (at !== -1) leaks.add(text.slice(Math.max(0, at - 200), at + 100));
  };
  const listening =
    (ask: Ask): Ask =>
    async (path, options) => {
      const asked = await ask(path, options);
      onText(asked.text);
      onStatus(asked.status);
      return asked;
    };
  const ask = listening(openAsker(url, '127.0.0.2', { 'X-API-Key': key }).ask);
  const askBare = listening(openAsker(url, '127.0.0.2').ask);
  const ownBatch = await finishList(ask, 'domain\nnike.com\nadidas.com\nzalando.de\n');
  const attacker: Attacker = {
    ask,
    askBare,
    url,
    key,
    databaseUrl,
    ownBatch,
    foreignBatches: [victim.batch],
    foreignLogin: victim.login,
    onText,
  };
  return { attacker, leaked: () => [...leaks] };
}

async function createKey(account: string): Promise<string> {
  const scopes = 'ads:search,email:validate,credits:read,batches:read,batches:write,sql:read,admin';
  const { key } = (await api.ask(['keys', 'create', '--account', account, '--scopes', scopes])) as {
    key: string;
  };
  return key;
}

async function finishList(ask: Ask, text: string): Promise<string> {
  const created = await ask('/v1/batches', {
    method: 'POST',
    headers: { 'Content-Type': 'text/csv' },
    body: text,
  });
  expect(created).toMatchObject({ status: 201 });
  const { id } = JSON.parse(created.text) as { id: string };
  await expect
    .poll(async () => JSON.parse((await ask(`/v1/batches/${id}`)).text) as unknown)
    .toMatchObject({ state: 'finished' });
  return id;
}

/** Repeats the attack with this concurrency for this time. */
async function keepUp({ atOnce, once }: Attack, attacker: Attacker, ms: number): Promise<void> {
  const endsAt = performance.now() + ms;
  let times = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < endsAt) await once(attacker, times++);
    }),
  );
}

function percentile(asked: readonly Asked[], share: number): number {
  const sorted = asked.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function report(
  measured: ReadonlyMap<string, readonly Asked[]>,
  answers: ReadonlyMap<string, ReadonlyMap<number, number>>,
  peaks: object,
): void {
  const all = [...measured.values()].flat();
  const lines = [...measured, ['all of it', all] as const].map(
    ([name, asked]) =>
      `  ${name}: ${asked.length} requests of the other account, median ${percentile(asked, 0.5).toFixed(0)} ms, ` +
      `p99 ${percentile(asked, 0.99).toFixed(0)} ms, slowest ${percentile(asked, 1).toFixed(0)} ms; answered to the attacker: ` +
      JSON.stringify(Object.fromEntries(answers.get(name) ?? [])),
  );
  process.stderr.write(`During attacks:\n${lines.join('\n')}\n  peaks in MiB: ${JSON.stringify(peaks)}\n`);
}
