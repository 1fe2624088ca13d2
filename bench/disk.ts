import { openListSetting } from './console/list-setting.ts';
import { startProduct } from './product/product-process.ts';
import { verifyResult } from './product/tasks.ts';
import { withClient } from './support/bench-server.ts';
import { withClosers } from './support/closing.ts';
import { readTables } from './support/disk.ts';
import { expectEqual } from './support/expect.ts';
import { rounded } from './support/figures.ts';
import { readMachine } from './support/machine.ts';
import { sizeOf, type BenchOptions } from './support/options.ts';
import type { BenchResult } from './support/table.ts';

const rowsDefault = { full: 200_000, smallest: 2_000 };
/** Tables that grow by less than this are listed together. */
const listedBytesMin = 1_000_000;

/** Measures the disk that a finished batch of leads takes, with everything that is stored for its pages. */
export function benchDisk(options: BenchOptions): Promise<BenchResult> {
  return withClosers(async (closers) => {
    const rows = options.rows ?? sizeOf(options, rowsDefault);
    const { server, made, before, ...list } = await openListSetting({ seed: options.seed, rows }, closers);
    const counted = await withClient(server.url('postgres'), (client) =>
      client.query<{ rows: number; ads: number }>(countAll, [made.batchId]),
    );
    const { rows: rowsStored, ads } = counted.rows[0] ?? { rows: 0, ads: 0 };
    expectEqual('Rows of the batch', rowsStored, list.rows);
    const product = startProduct(server.home, closers);
    const { findings } = verifyResult.parse(await product.run({ kind: 'verify' }));
    await product.close();
    expectEqual('The findings of verify', findings, []);
    const after = await readTables(server);
    const grown = [...after]
      .map(([name, bytes]) => ({ name, bytes: bytes - (before.get(name) ?? 0) }))
      .sort((a, b) => b.bytes - a.bytes);
    return diskResult({ rows: rowsStored, ads, grown, machine: await readMachine(server.url('postgres')) });
  });
}

const countAll = `SELECT count(*)::integer AS rows,
    (SELECT coalesce(sum(l.ads_count), 0)::integer FROM nightshift.lookups l WHERE l.batch_id = $1) AS ads
  FROM nightshift.batch_rows r WHERE r.batch_id = $1`;

interface DiskFigures {
  readonly rows: number;
  readonly ads: number;
  /** Growth of each table, most first. */
  readonly grown: readonly { readonly name: string; readonly bytes: number }[];
  readonly machine: Awaited<ReturnType<typeof readMachine>>;
}

function diskResult({ rows, ads, grown, machine }: DiskFigures): BenchResult {
  const megabytes = (bytes: number) => rounded(bytes / 1e6, 1);
  const sum = (tables: typeof grown) => tables.reduce((bytes, table) => bytes + table.bytes, 0);
  const perRow = (bytes: number) => Math.round(bytes / rows);
  const listed = grown.filter(({ bytes }) => bytes >= listedBytesMin);
  const others = grown.filter(({ bytes }) => bytes < listedBytesMin);
  const line = (label: string, bytes: number) => [label, megabytes(bytes), perRow(bytes)];
  return {
    name: 'disk',
    head: ['', 'MB', 'bytes per row'],
    rows: [
      ...listed.map(({ name, bytes }) => line(name, bytes)),
      line('other tables', sum(others)),
      line('all', sum(grown)),
    ],
    notes: [
      `A finished batch of ${rows.toLocaleString('en')} leads with ${ads.toLocaleString('en')} ads of a live source and verdicts on addresses, prepared for its pages.`,
      'Growth of all tables with their indexes, after VACUUM; verify holds.',
    ],
    json: {
      ratios: { disk_mb_200k: megabytes(sum(grown)) },
      bytes_per_row: perRow(sum(grown)),
      mb: Object.fromEntries(listed.map(({ name, bytes }) => [name, megabytes(bytes)])),
      work: { rows, ads },
      machine,
    },
  };
}
