import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openFolderStorage } from '../../../src/adapters/storage/folder.ts';
import { shipWal } from '../../../src/backup/ship-wal.ts';
import { switchWal } from '../../../db/backup/wal-archiving.ts';
import { ensurePrivateServer } from '../../../src/postgres-server/index.ts';
import { readNightshift, startNightshift, type Environment } from '../../support/cli/nightshift-process.ts';
import { runToSuccess } from '../../support/cli/run-to-success.ts';
import { createHomes } from '../../support/db/private-postgres-folders.ts';
import { withClient } from '../../support/db/test-postgres.ts';
import {
  askedIn,
  expectedAnswer,
  exportEveryRow,
  firstRows,
  type ExportedRow,
} from '../../support/faults/batch-audit.ts';
import {
  companiesOf,
  listCompanies,
  listFile,
  type ListedRow,
} from '../../support/faults/listed-companies.ts';
import { temporaryFolder } from '../../support/faults/loaded-batch.ts';
import { recordFigures } from '../../support/faults/proof-figures.ts';
import { randomRuns, runsFull } from '../../support/faults/random-runs.ts';
import { takeSeed } from '../../support/seed.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';
import type { StandInCall } from '../../support/stand-in/stand-in-log.ts';
import { spawnSourceStandIn, type SpawnedStandIn } from '../../support/stand-in/spawn-source-stand-in.ts';
import { faultWaitMsMax } from '../../support/wait-bound.ts';

const runs = runsFull ? 100 : randomRuns(20);
const rowsEach = 150;
/** Calls that are recorded, and not sent or answered yet, when their worker is killed, which happens twice. */
const doubtsMax = 100;
/** Longest time from a call to the record of its answer; milliseconds. */
const recordedMsMax = 10_000;

/** A list that is loaded, and the file that it was loaded from. */
interface List {
  readonly file: string;
  readonly rows: readonly ListedRow[];
}

describe(`no company is paid for twice in ${runs} runs that are restored to random moments`, () => {
  const doubts: number[] = [];
  test.each(Array.from({ length: runs }, (_, run) => run + 1))('run %i', async (run) => {
    doubts.push(await restoreRun(numbersOf(`${takeSeed()}|${run}`)));
    if (run < runs) return;
    recordFigures('restores to random moments', {
      runs: doubts.length,
      'companies of each': 2 * rowsEach,
      'in doubt in all runs': doubts.reduce((sum, count) => sum + count, 0),
      'in one at most': Math.max(...doubts),
    });
  });
});

/** A run on one machine, whose worker is killed and which is then lost, and its end on another one. Returns the number of companies in doubt. */
async function restoreRun(random: (below: number) => number): Promise<number> {
  const standIn = await openStandIn();
  const [early, late] = [listOf('early'), listOf('late')];
  const archive = temporaryFolder();
  onTestFinished(() => rmSync(archive, { recursive: true, force: true }));
  // On a busy machine, most of a list is called while it loads.
  const callsSure = companiesOf([...early.rows, ...late.rows]).length - doubtsMax / 2;
  const lost = await openHome(standIn);
  await load(lost, early);
  const first = startNightshift(['work'], lost);
  await untilCalls(standIn, 20 + random(40));
  await runToSuccess(['backup', archive], lost);
  const from = Date.now();
  await load(lost, late);
  await untilCalls(standIn, standIn.readLog().length + 10 + random(40));
  await first.kill();
  const killedAtMs = [Date.now()];
  const second = startNightshift(['work'], lost);
  await untilCalls(standIn, Math.min(standIn.readLog().length + 20 + random(40), callsSure));
  await second.kill();
  const to = Date.now();
  killedAtMs.push(to);
  await loseMachine(lost, archive);

  const moment = new Date(from + random(to - from));
  const found = await openHome(standIn);
  await runToSuccess(['restore', archive, '--to', moment.toISOString()], found);
  const third = startNightshift(['work'], found);
  const results = [await finish(found, early), await finish(found, late)].flat();
  await third.stop();
  const doubts = expectPaidOnce(results, { log: standIn.readLog(), killedAtMs });
  expect(doubts).toBeLessThanOrEqual(doubtsMax);
  await runToSuccess(['verify', '--full'], found);
  return doubts;
}

async function openStandIn(): Promise<SpawnedStandIn> {
  const standIn = await spawnSourceStandIn({
    logFile: join(temporaryFolder(), 'calls.ndjson'),
    // Strict: it charges for every call.
    idempotent: false,
    latencyMs: { min: 20, max: 300 },
  });
  onTestFinished(standIn.close);
  return standIn;
}

/** Companies of its own: a call is of one list. */
function listOf(name: string): List {
  const rows = listCompanies(rowsEach, name).map((row) => (row.asked === null ? row : renamed(row, name)));
  const file = join(temporaryFolder(), 'list.csv');
  writeFileSync(file, listFile(rows));
  return { file, rows };
}

function renamed({ row, company, domain, asked }: ListedRow, name: string): ListedRow {
  const rename = (text: string) => text.replace(/company-|number /gi, (before) => `${before}${name}`);
  return { row, company: rename(company), domain: rename(domain), asked: rename(asked ?? '') };
}

async function openHome(standIn: SpawnedStandIn): Promise<Environment> {
  const homes = createHomes();
  onTestFinished(homes.clear);
  return {
    NIGHTSHIFT_HOME: await homes.make(),
    NIGHTSHIFT_UPSTREAM_URL: standIn.url,
    NIGHTSHIFT_UPSTREAM_KEY: standIn.key,
    NIGHTSHIFT_UPSTREAM_REQUESTS_PER_SECOND: '40',
    NIGHTSHIFT_LEASE_SECONDS: '5',
    NIGHTSHIFT_OPENING_CREDITS: '10000',
  };
}

/** Loads a list; the same file again continues its batch. */
async function load(environment: Environment, { file }: List): Promise<string> {
  const loaded = (await readNightshift(['load', file], environment)) as { id: string };
  return loaded.id;
}

async function untilCalls(standIn: SpawnedStandIn, count: number): Promise<void> {
  await vi.waitUntil(() => standIn.readLog().length >= count, { timeout: faultWaitMsMax, interval: 20 });
}

/** The last WAL reaches the archive, with a change after the moment to restore, by which a restore sees that it is past it; then the server is gone. */
async function loseMachine({ NIGHTSHIFT_HOME: home = '' }: Environment, archive: string): Promise<void> {
  const server = await ensurePrivateServer({ home });
  const url = server.url('postgres', 'postgres');
  await withClient(url, (client) => client.query('SELECT pg_current_xact_id()'));
  await switchWal(url);
  const shipping = {
    storage: openFolderStorage({ kind: 'folder', path: archive }),
    server,
    workFolder: temporaryFolder(),
    signal: new AbortController().signal,
  };
  while ((await shipWal(shipping)).length === 0) await delay(20);
  process.kill(server.pid, 'SIGKILL');
}

async function finish(environment: Environment, list: List): Promise<readonly ExportedRow[]> {
  const batch = await load(environment, list);
  await vi.waitFor(
    async () => {
      const { state } = (await readNightshift(['status', batch], environment)) as { state: string };
      if (state !== 'finished') throw new Error(`The batch is ${state}.`);
    },
    { timeout: faultWaitMsMax, interval: 500 },
  );
  const exported = { batch, environment, rows: list.rows };
  return [...firstRows(exported, await exportEveryRow(exported)).values()];
}

/** A source, by its own log, and when a worker that called it was killed. */
interface KilledRun {
  readonly log: readonly StandInCall[];
  readonly killedAtMs: readonly number[];
}

/** By the log of the source, against which nothing in Nightshift can be right. Returns the number of companies in doubt. */
function expectPaidOnce(results: readonly ExportedRow[], { log, killedAtMs }: KilledRun): number {
  const calls = new Map<string, readonly number[]>();
  for (const call of log.filter(({ effect }) => effect))
    calls.set(askedIn(call), [...(calls.get(askedIn(call)) ?? []), call.at]);
  let doubts = 0;
  for (const { domain, company, ads_outcome: outcome, ads_reason: reason, ads_count: ads } of results) {
    const asked = domain === '' ? company : domain;
    const paidAtMs = calls.get(asked) ?? [];
    if (reason === 'in_doubt') {
      expect(paidAtMs.length, `calls for ${asked}, which is in doubt`).toBeLessThanOrEqual(1);
      const isCut = (at: number) => killedAtMs.some((killed) => killed > at && killed < at + recordedMsMax);
      expect(
        paidAtMs.filter((at) => !isCut(at)),
        `call for ${asked}, long before a kill`,
      ).toEqual([]);
      doubts += 1;
    } else {
      const expected = expectedAnswer(asked);
      expect([asked, paidAtMs.length, outcome, ads]).toEqual([asked, 1, expected.outcome, `${expected.ads}`]);
    }
  }
  return doubts;
}
