import { describe, onTestFinished, test } from 'vitest';
import { startNightshift } from '../../support/cli/nightshift-process.ts';
import { expectNothingLostOrBoughtTwice } from '../../support/faults/batch-audit.ts';
import { companiesOf, listCompanies } from '../../support/faults/listed-companies.ts';
import { openBatchRun, type BatchRun } from '../../support/faults/loaded-batch.ts';
import { openLoggedSource } from '../../support/faults/logged-source.ts';
import { recordFigures, summarizeDurations } from '../../support/faults/proof-figures.ts';
import { runsAll, runsFull } from '../../support/faults/random-runs.ts';
import { expectClockOfDatabase } from '../../support/hosts/database-moments.ts';
import {
  delayDuring,
  loseDuring,
  openSlowServers,
  partition,
  settingsOn,
  workOn,
  type SlowServers,
} from '../../support/hosts/network-faults.ts';
import { hostsUnavailableReason } from '../../support/hosts/network-tools.ts';
import { openWorkerHost, type WorkerHost } from '../../support/hosts/worker-hosts.ts';
import { findRedisProgram } from '../../support/queue/test-redis.ts';
import { takeSeed } from '../../support/seed.ts';
import { numbersOf } from '../../support/stand-in/stand-in-ads.ts';
import {
  finalRateLimit,
  finishBatch,
  paceToLast,
  runPhase,
  type FaultInjection,
  type Phase,
} from '../../support/storm/storm.ts';
import {
  openServersOnPostgres,
  openServersOnRedis,
  type StormServers,
} from '../../support/storm/storm-servers.ts';

const full = { rows: 6_000, outlastSeconds: 900, partitions: 36, secondsMax: 60, leaseSeconds: 10 };
const all = { rows: 2_500, outlastSeconds: 240, partitions: 12, secondsMax: 12, leaseSeconds: 5 };
const small = { rows: 700, outlastSeconds: 60, partitions: 3, secondsMax: 4, leaseSeconds: 2 };
const unlessFull = runsAll ? all : small;
const size = runsFull ? full : unlessFull;

/** Of every host, in each direction. */
const [delayMs, lossPercent] = [200, 5];
/** A statement takes 400 ms, so that claim, call and commit outlast a short lease. */
const longLease = { NIGHTSHIFT_LEASE_SECONDS: '15' };
/** A host with the right time, and two that are wrong by a day. */
const clocks = [undefined, '+1d', '-1d'] as const;

const testMsMax = runsFull ? 7_200_000 : 2_400_000;

const reason = hostsUnavailableReason();
const why = reason === null ? '' : ` (not run: ${reason})`;

describe.skipIf(reason !== null)(
  `hosts that are cut off, slow, lossy and wrong by a day lose no row, and charge none twice${why}`,
  () => {
    test('with the queue on postgres', { timeout: testMsMax }, async () => {
      await runOnHosts(await openServersOnPostgres(), 'postgres');
    });

    const isPossible = findRedisProgram() !== undefined || process.env['CI'] === 'true';
    test.skipIf(!isPossible || !runsAll)('with the queue on redis', { timeout: testMsMax }, async () => {
      await runOnHosts(await openServersOnRedis(), 'redis');
    });
  },
);

async function runOnHosts(servers: StormServers, queue: 'postgres' | 'redis'): Promise<void> {
  const seed = takeSeed();
  const begunAt = new Date();
  const standIn = await openLoggedSource();
  const rows = listCompanies(size.rows, seed);
  const run = await openBatchRun(servers, {
    source: standIn,
    rows,
    settings: {
      NIGHTSHIFT_LEASE_SECONDS: String(size.leaseSeconds),
      NIGHTSHIFT_UPSTREAM_IDEMPOTENT: 'true',
      ...paceToLast(companiesOf(rows).length, size.outlastSeconds),
    },
  });
  const slow = await openSlowServers(run.environment, delayMs);
  onTestFinished(slow.close);
  const hosts = clocks.map((clock) =>
    openHost(clock, [Number(new URL(standIn.url).port), ...slow.sourcePorts]),
  );
  const backs: number[] = [];
  const storm = {
    run: onHosts(run, hosts),
    servers,
    random: numbersOf(`hosts|${seed}`),
    workers: hosts.length,
  };
  for (const phase of planPhases(hosts, slow, (ms) => void backs.push(ms))) await runPhase(storm, phase);
  const deadLetters = await finishBatch(storm);
  recordFigures(`three hosts, queue on ${queue}`, {
    seed,
    rows: rows.length,
    'delay by': slow.how,
    'heard from the source after each partition': summarizeDurations(backs),
  });
  await expectClockOfDatabase(run.database, begunAt);
  await expectNothingLostOrBoughtTwice(
    { ...run, environment: { ...run.environment, ...finalRateLimit } },
    { log: standIn.readLog(), deadLetters },
  );
}

function openHost(clock: string | undefined, counted: readonly number[]): WorkerHost {
  const host = openWorkerHost({ counted, ...(clock === undefined ? {} : { clock }) });
  onTestFinished(host.close);
  return host;
}

/** The same run, whose workers start on the hosts in turn. */
function onHosts(run: BatchRun, hosts: readonly WorkerHost[]): BatchRun {
  let started = 0;
  return {
    ...run,
    startWorker(settings) {
      const [host] = hosts.slice(started % hosts.length);
      started += 1;
      if (host === undefined) throw new Error('There is no host.');
      return startNightshift(['work'], settingsOn(host, { ...run.environment, ...settings }), { host });
    },
  };
}

/** In the gate, partitions only: the recovery from the others takes minutes. */
function planPhases(
  hosts: readonly WorkerHost[],
  slow: SlowServers,
  onBack: (tookMs: number) => void,
): readonly Phase[] {
  const { outlastSeconds, partitions, secondsMax } = size;
  const cut = partition({ hosts, secondsMax, onBack });
  const lossy = (inject: FaultInjection) => loseDuring(hosts, lossPercent, inject);
  const delayed = (inject: FaultInjection) => delayDuring(hosts, slow, inject);
  const phases = {
    partitions: { name: 'partitions', faults: partitions, outlastSeconds, inject: cut },
    loss: { name: 'time with loss', faults: 1, outlastSeconds, inject: lossy(workOn) },
    delay: {
      name: 'time with delay',
      faults: 1,
      outlastSeconds,
      settings: { ...slow.settings, ...longLease },
      inject: delayed(workOn),
    },
    lossyPartitions: {
      name: 'partitions with loss and delay',
      faults: partitions,
      outlastSeconds,
      settings: { ...slow.settings, ...longLease },
      inject: lossy(delayed(cut)),
    },
  };
  return runsAll ? Object.values(phases) : [phases.partitions];
}
