import { join } from 'node:path';
import type { Closers } from '../../src/closers.ts';
import type { PrivateServer } from '../../src/postgres-server/index.ts';
import { writeList } from '../data/company-list.ts';
import { writeCreatives } from '../data/snapshot-file.ts';
import { loadSnapshot, runCommand } from '../product/command.ts';
import { startProduct, type ProductProcess } from '../product/product-process.ts';
import { scanTaskResult } from '../product/tasks.ts';
import { openBenchServer, withClient } from '../support/bench-server.ts';
import { withClosers } from '../support/closing.ts';
import { bytesOnDisk } from '../support/disk.ts';
import { expectEqual } from '../support/expect.ts';
import { readMachine } from '../support/machine.ts';
import { sizeOf, type BenchOptions } from '../support/options.ts';
import { say } from '../support/say.ts';
import type { BenchResult } from '../support/table.ts';
import { openFolder } from '../support/workplace.ts';
import { createMarket, staleDays, type ExpectedChanges, type Market } from './market.ts';
import { nightlyResult, type NightlyScan } from './result.ts';

const companiesDefault = { full: 10_000, smallest: 100 };
const scansOf = { full: 30, smallest: 3 };
const adsPerCompany = 50;
const schedule = 'nightly';
/** Tables of the snapshot itself. What its ads were, and the answers that lookups refer to, are part of the record. */
const snapshotTables = ['snapshots', 'snapshot_ads', 'advertiser_names', 'advertiser_words'];

interface Place {
  readonly server: PrivateServer;
  readonly folder: string;
  readonly closers: Closers;
  readonly product: ProductProcess;
  readonly companies: number;
}

/** Measures the record of a schedule night by night: bytes on disk and time of each scan, of ads of which few change. */
export function benchNightly(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const companies = options.companies ?? sizeOf(options, companiesDefault);
    const folder = await openFolder(closers);
    const server = await openBenchServer(join(folder, 'home'), closers);
    const market = createMarket({ seed: options.seed, companies, adsPerCompany });
    const product = startProduct(server.home, closers);
    const place = { server, folder, closers, product, companies };
    const scans: NightlyScan[] = [];
    let expected: ExpectedChanges = { new: 0, changed: 0, ended: 0 };
    let before = await bytesOnDisk(server, snapshotTables);
    const days = options.rows ?? sizeOf(options, scansOf);
    for (let n = 1; n <= days; n += 1) {
      const load = await loadOfDay(market, place);
      if (n === 1) await addSchedule(options, place);
      const scanned = await scanOnce(market, expected, place);
      const after = await bytesOnDisk(server, snapshotTables);
      scans.push({ ...scanned, load, bytes: after - before });
      say(
        `  ${n}: ${((after - before) / 1e6).toFixed(1)} MB, ${scanned.scan.toFixed(2)} s, snapshot ${load.toFixed(1)} s`,
      );
      before = after;
      expected = market.advance();
    }
    await product.close();
    const machine = await readMachine(server.url('postgres'));
    return nightlyResult({ machine, companies, adsPerCompany, scans });
  });
}

/** Loads the snapshot of the day, and returns the seconds. */
async function loadOfDay(market: Market, { folder, server, closers }: Place): Promise<number> {
  const file = join(folder, 'snapshot.csv');
  await writeCreatives(market.list(), file);
  return (await loadSnapshot({ file, rows: market.count() }, server.home, closers)).seconds;
}

async function addSchedule(
  { seed }: BenchOptions,
  { folder, server, closers, companies }: Place,
): Promise<void> {
  const file = join(folder, 'companies.csv');
  await writeList({ seed, companies, names: companies, repeatsPerMille: 0, rejectsPerMille: 0 }, file);
  const terms = ['--cron', '0 3 1 1 *', '--source', 'snapshot', '--stale-after', String(staleDays)];
  await runCommand(['schedule', 'add', schedule, '--companies', file, ...terms], server.home, closers);
}

/** Scans, and compares lookups, ads, charges and changes with what the market has. */
async function scanOnce(
  market: Market,
  expected: ExpectedChanges,
  { product, server, companies }: Place,
): Promise<Omit<NightlyScan, 'load' | 'bytes'>> {
  const scanned = scanTaskResult.parse(await product.run({ kind: 'scan', schedule }));
  const { seconds: scan, lookedUp, changes, peakRssMb } = scanned;
  expectEqual('Changes of a scan', changes, { ...expected, reactivated: 0 });
  const { rows } = await withClient(server.url('postgres'), (client) =>
    client.query<Record<string, unknown>>(countScan, [scanned.scanId]),
  );
  expectEqual('The record of a scan', rows[0], {
    found: companies,
    ads: market.count(),
    chargedMicro: String(companies * 200_000),
    reported: expected.new + expected.changed + expected.ended,
  });
  return { scan, lookedUp, changes, peakRssMb };
}

/** Counts of a scan from its lookups, their ads and charges, and the list of changes. */
const countScan = `SELECT count(*)::integer AS found,
    (SELECT count(*)::integer FROM nightshift.lookup_ads a WHERE a.lookup_id BETWEEN min(l.id) AND max(l.id)) AS ads,
    (SELECT (-sum(e.balance_delta_micro))::text FROM nightshift.ledger_entries e
      WHERE e.lookup_id BETWEEN min(l.id) AND max(l.id)) AS "chargedMicro",
    (SELECT count(*)::integer FROM reports.ads_changes c WHERE c.scan = s.public_id AND NOT c.is_baseline) AS reported
  FROM nightshift.scans s JOIN nightshift.lookups l ON l.batch_id = s.batch_id
  WHERE s.id = $1 AND l.outcome = 'found' GROUP BY s.public_id`;
