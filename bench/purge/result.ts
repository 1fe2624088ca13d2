import type { TableBytes } from '../support/disk.ts';
import { rounded } from '../support/figures.ts';
import type { readMachine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';

interface PurgeFigures {
  readonly rows: number;
  readonly ads: number;
  readonly seconds: number;
  /** CPU seconds of the server meanwhile. */
  readonly cpu: number;
  /** Bytes of the tables before there was the batch, with the batch, and right after its purge. */
  readonly before: TableBytes;
  readonly full: TableBytes;
  readonly after: TableBytes;
  readonly machine: Awaited<ReturnType<typeof readMachine>>;
}

/** Tables of which a batch takes less are listed together. */
const listedBytesMin = 1_000_000;

/** The table of a purge: what each table took for the batch, and what is left. */
export function purgeResult(figures: PurgeFigures): BenchResult {
  const { rows, ads, seconds, cpu, before, full, after, machine } = figures;
  const tables = [...full.keys()]
    .map((name) => {
      const base = before.get(name) ?? 0;
      return { name, took: (full.get(name) ?? 0) - base, left: (after.get(name) ?? 0) - base };
    })
    .sort((a, b) => b.took - a.took);
  const listed = tables.filter(({ took, left }) => Math.max(took, left) >= listedBytesMin);
  const others = tables.filter((table) => !listed.includes(table));
  const sum = (of: typeof tables, key: 'took' | 'left') => of.reduce((bytes, table) => bytes + table[key], 0);
  const megabytes = (bytes: number) => rounded(bytes / 1e6, 1);
  const givenBack = 1 - sum(tables, 'left') / sum(tables, 'took');
  return {
    name: 'purge',
    head: ['', 'MB of the batch', 'MB after the purge'],
    rows: [
      ...listed.map(({ name, took, left }) => [name, megabytes(took), megabytes(left)]),
      ['other tables', megabytes(sum(others, 'took')), megabytes(sum(others, 'left'))],
      ['all', megabytes(sum(tables, 'took')), megabytes(sum(tables, 'left'))],
    ],
    notes: [
      `A batch of ${rows.toLocaleString('en')} rows that saw ${ads.toLocaleString('en')} ads, prepared for its pages.`,
      `The command took ${rounded(seconds, 2)} s, in which the server used ${rounded(cpu, 2)} s of a core, and gave ${rounded(givenBack * 100, 1)} % of the batch's disk back, the ledger included, which stays. Verify holds before and after.`,
    ],
    json: {
      ratios: { purge_seconds: rounded(seconds, 2), purge_disk_given_back: rounded(givenBack, 3) },
      server_cpu_seconds: rounded(cpu, 2),
      mb: { batch: megabytes(sum(tables, 'took')), after: megabytes(sum(tables, 'left')) },
      work: { rows, ads },
      machine,
    },
  };
}
