import { join } from 'node:path';
import { z } from 'zod';
import { openDatabase, type Database } from '../../db/connection/client.ts';
import { createKeyStore } from '../../db/stores/accounts/api-keys.ts';
import type { Closers } from '../../src/closers.ts';
import { authenticate } from '../../src/core/accounts/authenticate.ts';
import { companyName } from '../data/company-names.ts';
import { writeSnapshot } from '../data/snapshot-file.ts';
import { createFixture, type Fixture } from '../data/fixture.ts';
import { loadSnapshot, runCommand } from '../product/command.ts';
import { openBenchServer, settleDatabase } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { percentile, timed } from '../support/figures.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { makeBadKeys, measureAnswers, measureChecks } from './bad-keys.ts';
import {
  clientCounts,
  serverKinds,
  type ServerKind,
  type ClientCount,
  type Latencies,
  type ApiFigures,
} from './figures.ts';
import { rateOf, takeTurn, type Turn } from './load-clients.ts';
import { apiResult } from './result.ts';
import { startProductServer, startServer } from './servers.ts';

const creativesDefault = { full: 100_000, smallest: 10_000 };
const adsPerName = 50;
const adsMax = 99;
/** Rounds per server, and their length: short, because the speed of the machine changes from second to second. */
const turnsPerRound = 4;
const turnMsOf = { full: 1000, smallest: 100 };
const keyChecksOf = { full: 3000, smallest: 100 };
const badKeyTurns = { check: { full: 2000, smallest: 100 }, answer: { full: 1000, smallest: 100 } };

/** Compares the ads search over HTTP: Nightshift, the minimum, and Hono without work, each in its own process. */
export function benchApi(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => apiResult(await measure(options, closers)));
}

async function measure(options: BenchOptions, closers: Closers): Promise<ApiFigures> {
  const creatives = options.creatives ?? sizeOf(options, creativesDefault);
  const companies = Math.floor(creatives / adsPerName) - 100;
  const fixture = createFixture({ seed: options.seed, companies, creatives });
  const folder = await openFolder(closers);
  const server = await openBenchServer(join(folder, 'home'), closers);
  const file = join(folder, 'snapshot.csv');
  await writeSnapshot(fixture, file);
  await loadSnapshot({ file, rows: creatives }, server.home, closers);
  await runCommand(['credits', 'grant', '1000000', '--reason', 'benchmark'], server.home, closers);
  const created = await runCommand(['keys', 'create', '--name', 'bench'], server.home, closers);
  const { key } = keyBody.parse(created.answer);
  await settleDatabase(server);
  const database = openOneConnection(server.url('nightshift_app'), closers);
  const checks = await measureKeyCheck(database, key, sizeOf(options, keyChecksOf));
  const urls = await startAll(server.url('nightshift_app'), server.home, closers);
  const badKeys = await measureBadKeys(database, urls.ours, options);
  const rounds: ApiFigures['rounds'][number][] = [];
  const load = { key, bodies: bodiesOf(fixture), turnMs: sizeOf(options, turnMsOf) };
  await measureRound(urls, load);
  for (let n = 1; n <= options.rounds; n += 1) {
    say(`Round ${n} of ${options.rounds}`);
    rounds.push(await measureRound(urls, load));
  }
  return { machine: await readMachine(server.url('postgres')), rounds, ...checks, badKeys, creatives };
}

const keyBody = z.object({ key: z.string() });
const answerBody = z.object({ ads_count: z.number().min(1), credits_consumed: z.literal(0.2) });

async function startAll(
  url: string,
  home: string,
  closers: Closers,
): Promise<Readonly<Record<ServerKind, string>>> {
  return {
    floor: await startServer('floor', url, closers),
    ours: await startProductServer(home, closers),
    hono: await startServer('idle-hono', typicalAnswer(), closers),
  };
}

/** Text with the length of the answer for a company with fifty ads. */
function typicalAnswer(): string {
  const ad = {
    advertiser_id: 'AR'.padEnd(22, '1'),
    creative_id: 'CR'.padEnd(22, '2'),
    original_url: 'x'.repeat(120),
  };
  const rest = {
    variants: [],
    start: '2026-01-01',
    last_seen: '2026-11-01',
    advertiser_name: 'x'.repeat(20),
    format: 'Text',
  };
  const ads = Array.from({ length: adsPerName }, () => ({ ...ad, ...rest }));
  return JSON.stringify({
    company_name: 'x',
    ads,
    ads_count: ads.length,
    credits_consumed: 0.2,
    message: 'Ads found.',
  });
}

/** Requests for companies that have ads, but not thousands. */
function bodiesOf({ adsOf }: Fixture): readonly string[] {
  return [...adsOf].flatMap((ads, i) =>
    ads > 0 && ads <= adsMax ? [JSON.stringify({ company_name: companyName(i) })] : [],
  );
}

interface Load {
  readonly key: string;
  readonly bodies: readonly string[];
  readonly turnMs: number;
}

async function measureRound(
  urls: Readonly<Record<ServerKind, string>>,
  { key, bodies, turnMs }: Load,
): Promise<ApiFigures['rounds'][number]> {
  const measureAll = async (clients: ClientCount) => {
    const turns: Record<ServerKind, Turn[]> = { floor: [], ours: [], hono: [] };
    for (let turn = 0; turn < turnsPerRound; turn += 1) {
      for (const kind of serverKinds) {
        const measured = await takeTurn({
          url: urls[kind],
          key,
          clients,
          forMs: turnMs,
          bodyOf: (n) => bodies[n % bodies.length] ?? '',
          check: (body) => void answerBody.parse(JSON.parse(body)),
        });
        turns[kind].push(measured);
      }
    }
    return { floor: rateOf(turns.floor), ours: rateOf(turns.ours), hono: rateOf(turns.hono) };
  };
  const rates = { 1: await measureAll(1), 16: await measureAll(16), 64: await measureAll(64) };
  const ratesOf = (kind: ServerKind) => {
    const of = { 1: rates[1][kind], 16: rates[16][kind], 64: rates[64][kind] };
    say(`  ${kind}: ${clientCounts.map((count) => of[count].requestsPerSecond).join(', ')} requests/s`);
    return of;
  };
  return { floor: ratesOf('floor'), ours: ratesOf('ours'), hono: ratesOf('hono') };
}

function openOneConnection(url: string, closers: Closers): Database {
  const database = openDatabase({
    url,
    role: 'nightshift_app',
    connectionsMax: 1,
    name: 'nightshift bench',
    onIdleError: () => undefined,
  });
  return closers.add(database, (opened) => opened.close());
}

/** The product's own check, one after the other. */
async function measureKeyCheck(
  database: Database,
  key: string,
  keyChecks: number,
): Promise<Pick<ApiFigures, 'keyCheck' | 'bareQuestion'>> {
  const keys = createKeyStore(database.sql);
  const checksMs: number[] = [];
  const questionsMs: number[] = [];
  for (let n = 0; n < keyChecks; n += 1) {
    checksMs.push((await timed(() => authenticate(keys, key))).seconds * 1000);
    questionsMs.push((await timed(() => database.pool.query('SELECT 1'))).seconds * 1000);
  }
  return { keyCheck: latenciesOf(checksMs), bareQuestion: latenciesOf(questionsMs) };
}

/** The time of a 401 must not reveal the kind of a bad key. */
async function measureBadKeys(
  database: Database,
  url: string,
  options: BenchOptions,
): Promise<ApiFigures['badKeys']> {
  say('Bad keys');
  const { seed } = options;
  const turnsOf = (kind: keyof typeof badKeyTurns) => ({ turns: sizeOf(options, badKeyTurns[kind]), seed });
  const bad = await makeBadKeys(database);
  return {
    check: await measureChecks(database, bad, turnsOf('check')),
    answer: await measureAnswers(url, bad, turnsOf('answer')),
  };
}

/** Without the first requests, which open the connections. */
function latenciesOf(allMs: readonly number[]): Latencies {
  const warm = allMs.slice(allMs.length / 10);
  return { p50Ms: percentile(warm, 0.5), p99Ms: percentile(warm, 0.99) };
}
