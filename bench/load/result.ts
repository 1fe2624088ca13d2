import { median, rounded } from '../support/figures.ts';
import type { BenchResult } from '../support/table.ts';
import type { LoadFigures } from './figures.ts';

/** Medians and ratios of the rounds. */
export function loadResultOf(figures: LoadFigures): BenchResult {
  const { machine, list, lists, ads, snapshots } = figures;
  const rates = ratesOf(figures);
  const memory = {
    load: Math.max(...lists.map(({ ours }) => ours.peakRssMb)),
    csv_parse: Math.max(...lists.map(({ bare }) => bare.peakRssMb)),
    snapshot_load: Math.max(...snapshots.map(({ ours }) => ours.peakRssMb)),
  };
  const ratios = {
    load_over_csv_parse: rounded(rates.load / rates.csv_parse, 2),
    snapshot_load_over_copy: rounded(rates.snapshot_load / rates.copy_into_store, 2),
    snapshot_load_over_copy_into_heap: rounded(rates.snapshot_load / rates.copy_into_heap, 2),
  };
  return {
    name: 'load',
    head: ['', 'rows/s', 'of the bare one', 'peak MB'],
    rows: [
      ['csv-parse alone', text(rates.csv_parse), 1, memory.csv_parse],
      ['nightshift load', text(rates.load), ratios.load_over_csv_parse, memory.load],
      ["COPY into the store's tables", text(rates.copy_into_store), 1, ''],
      ['COPY into a table without a key', text(rates.copy_into_heap), '', ''],
      [
        'nightshift snapshot load',
        text(rates.snapshot_load),
        ratios.snapshot_load_over_copy,
        memory.snapshot_load,
      ],
    ],
    notes: [
      `A list of ${text(list.rows)} rows, ${text(list.companies)} companies, ${rounded(list.bytes / 1e6, 1)} MB; a snapshot of ${text(ads)} ads as flat CSV.`,
      `Medians of ${lists.length} rounds, in turns, each run in a process of its own; COPY is given ready-made rows of the same tables.`,
      `Beside COPY into a table without a key, snapshot load reaches ${ratios.snapshot_load_over_copy_into_heap} of the rows.`,
    ],
    json: {
      ratios,
      rows_per_second: rates,
      peak_rss_mb: memory,
      work: { list_rows: list.rows, companies: list.companies, list_bytes: list.bytes, ads },
      machine,
      rounds: { lists, snapshots },
    },
  };
}

function ratesOf({ list, lists, ads, snapshots }: LoadFigures) {
  const rate = (rows: number, seconds: readonly number[]) => Math.round(rows / median(seconds));
  return {
    csv_parse: rate(
      list.rows,
      lists.map(({ bare }) => bare.seconds),
    ),
    load: rate(
      list.rows,
      lists.map(({ ours }) => ours.seconds),
    ),
    copy_into_store: rate(
      ads,
      snapshots.map(({ storeSeconds }) => storeSeconds),
    ),
    copy_into_heap: rate(
      ads,
      snapshots.map(({ heapSeconds }) => heapSeconds),
    ),
    snapshot_load: rate(
      ads,
      snapshots.map(({ ours }) => ours.seconds),
    ),
  };
}

function text(count: number): string {
  return count.toLocaleString('en');
}
