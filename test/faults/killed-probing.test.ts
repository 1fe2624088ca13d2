import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { expect, onTestFinished, test, vi } from 'vitest';
import { eachBackend, type Backend } from '../support/queue/backends.ts';
import { startDnsServer } from '../support/dns-smtp/dns-server.ts';
import { expectInvariants } from '../support/faults/batch-audit.ts';
import { readNightshift } from '../support/cli/nightshift-process.ts';
import { loadBatchRun, temporaryFolder, type LoadedRun } from '../support/faults/loaded-batch.ts';
import { randomRuns, runsAll } from '../support/faults/random-runs.ts';
import { takeSeed } from '../support/seed.ts';
import { openPoliteServer } from '../support/dns-smtp/polite-server.ts';
import { openProbingFixture } from '../support/dns-smtp/probing-fixture.ts';
import { numbersOf } from '../support/stand-in/stand-in-ads.ts';
import { waitMsMax } from '../support/wait-bound.ts';

const kills = randomRuns(25);
const workersAtOnce = 2;
/** Number of the recipient whose reply is held back until both workers are killed: one probe at least is cut off. */
const heldRecipient = 10;
/** Maximum number of recipients between two kills; all kills happen before the end of the batch. */
const pauseMax = 20;
const domains = Array.from({ length: 20 }, (_, i) => `company-${i}.com`);
const addresses = Array.from({ length: runsAll ? 30 : 12 }, (_, i) =>
  domains.map((domain) => `person-${i}@${domain}`),
).flat();
const catchAllDomain = 'company-7.com';
const priceMicro = 10_000;

/** Every fourth person is unknown, except at catch-all domains. */
function truthAbout(address: string): 'valid' | 'invalid' | 'catch_all' {
  if (address.endsWith(`@${catchAllDomain}`)) return 'catch_all';
  return /^person-\d*[048]@/.test(address) || !address.startsWith('person-') ? 'invalid' : 'valid';
}

eachBackend((backend) => {
  test('killed workers probe each address at most twice, and every verdict is right', async () => {
    const { run, asked } = await killThroughTheRun(backend);
    const unknown = new Set<string>();
    const answers = await exportAnswers(run);
    expect(answers.map(({ email }) => email)).toEqual(addresses);
    for (const { email, email_status: status, email_sub_status: subStatus } of answers) {
      if (status === 'unknown') {
        expect([email, subStatus]).toEqual([email, 'probe_budget_exhausted']);
        unknown.add(email);
      } else expect([email, status]).toEqual([email, truthAbout(email)]);
    }
    const extra = addresses.filter((address) => asked(address) > 1);
    const total = addresses.reduce((sum, address) => sum + asked(address), 0);
    console.info(
      `${backend.kind}: ${kills} kills, ${total} RCPTs for ${addresses.length} addresses, ${extra.length} of them asked again, ` +
        `${unknown.size} ended unknown`,
    );
    expect(Math.max(...addresses.map(asked))).toBeLessThanOrEqual(2);
    // Only probes that run at a kill can be cut off.
    expect(extra.length).toBeGreaterThan(0);
    expect(unknown.size).toBeLessThan(addresses.length / 4);
    expect(await readNightshift(['status', run.batch], run.environment)).toMatchObject({
      state: 'finished',
      lookups: { total: addresses.length, completed: addresses.length, failed: 0, open: 0 },
      credits: { charged: ((addresses.length - unknown.size) * priceMicro) / 1_000_000 },
    });
    await expectInvariants(run.environment);
  });
});

/** Two workers on one batch; one of them is killed repeatedly and replaced. */
async function killThroughTheRun(backend: Backend) {
  const seed = takeSeed();
  const server = await openPoliteServer({
    recipient: (address) => (truthAbout(address) === 'invalid' ? '550 5.1.1 User unknown' : null),
    delayMs: (nth) => (nth === heldRecipient ? 2_000 : 10),
  });
  onTestFinished(server.close);
  const fixture = await openProbingFixture(domains.map((domain) => ({ domain, port: server.port })));
  onTestFinished(fixture.close);
  const dns = await startDnsServer(fixture.zone);
  onTestFinished(dns.close);
  const opened = await backend.open();
  await opened.database.owner.pool.query(
    "INSERT INTO nightshift.prices (operation, amount_micro, note) VALUES ('email_validation', $1, 'test')",
    [priceMicro],
  );
  const run = await loadBatchRun(opened, `email\n${addresses.join('\n')}\n`, {
    ...fixture.settings,
    NIGHTSHIFT_DNS_SERVERS: dns.server,
    NIGHTSHIFT_LEASE_SECONDS: '2',
    NIGHTSHIFT_OPENING_CREDITS: '1000',
  });
  await killAgainAndAgain(run, seed, () => server.recipients.length);
  await run.untilFinished();
  return { run, asked: timesIn(server.recipients.map(({ address }) => address)) };
}

async function killAgainAndAgain(run: LoadedRun, seed: string, asked: () => number): Promise<void> {
  const random = numbersOf(`kills|${seed}`);
  const workers = Array.from({ length: workersAtOnce }, () => run.startWorker());
  await vi.waitUntil(() => asked() >= heldRecipient, { timeout: waitMsMax, interval: 5 });
  for (const [index, worker] of workers.entries()) {
    await worker.kill();
    workers[index] = run.startWorker();
  }
  for (let killed = 0; killed < kills; killed++) {
    const from = asked();
    const pause = random(pauseMax);
    await vi.waitUntil(() => asked() > from + pause, { timeout: waitMsMax, interval: 5 });
    // Not an event to wait for: the moment within a session must be random.
    await wait(random(30));
    const victim = random(workersAtOnce);
    await workers[victim]?.kill();
    workers[victim] = run.startWorker();
  }
  expect(await run.readState(), 'the batch after the last kill').toBe('running');
}

function timesIn(all: readonly string[]): (one: string) => number {
  const times = new Map<string, number>();
  for (const one of all) times.set(one, (times.get(one) ?? 0) + 1);
  return (one) => times.get(one) ?? 0;
}

async function exportAnswers({ batch, environment }: LoadedRun) {
  const file = join(temporaryFolder(), 'export.csv');
  await readNightshift(['export', batch, '-o', file, '--raw'], environment);
  return parse(readFileSync(file), { columns: true, bom: true }) as readonly {
    readonly email: string;
    readonly email_status: string;
    readonly email_sub_status: string;
  }[];
}
