import { median, rounded } from '../support/figures.ts';
import type { BenchResult } from '../support/table.ts';
import type { PipelineFigures } from './figures.ts';
import { totalOf, totalPerAdOf, type Round } from './runs.ts';

/** Medians and ratios of the rounds. */
export function pipelineResult(figures: PipelineFigures): BenchResult {
  const seconds = secondsOf(figures);
  const ratios = ratiosOf(figures);
  const stages = stagesOf(figures.rounds);
  const { expected } = figures.list;
  return {
    name: 'pipeline',
    head: ['', 'load', 'work', 'export', 'seconds', 'one line per ad', 'times'],
    rows: tableRows(figures),
    notes: notesOf(figures),
    json: {
      ratios,
      seconds,
      stages,
      peak_rss_mb: Math.max(...figures.rounds.map(({ ours }) => ours.peakRssMb)),
      companies_per_second: Math.round(expected.lookups / seconds.ours),
      work: { ...expected, creatives: figures.creatives },
      naive: figures.naive === null ? null : naiveJson(figures.naive),
      verify_seconds: rounded(figures.verifySeconds),
      machine: figures.machine,
      rounds: figures.rounds,
    },
  };
}

function secondsOf({ rounds, naive }: PipelineFigures) {
  return {
    ours: rounded(median(rounds.map(({ ours }) => totalOf(ours)))),
    ours_per_ad: rounded(median(rounds.map(({ ours }) => totalPerAdOf(ours)))),
    floor: rounded(median(rounds.map(({ floor }) => totalOf(floor)))),
    floor_per_ad: rounded(median(rounds.map(({ floor }) => totalPerAdOf(floor)))),
    duckdb: rounded(median(rounds.map(({ duckdb }) => duckdb))),
    naive: naive === null ? null : rounded(totalOf(naive.run)),
  };
}

function ratiosOf(figures: PipelineFigures) {
  const { ours, ours_per_ad, floor, floor_per_ad, duckdb, naive } = secondsOf(figures);
  return {
    naive_over_ours: naive === null ? null : rounded(naive / ours, 2),
    ours_over_floor: rounded(ours / floor, 2),
    ours_over_duckdb: rounded(ours / duckdb, 2),
    ads_over_sql: rounded(ours_per_ad / floor_per_ad, 2),
    last_round_over_first: lastOverFirst(figures.rounds),
  };
}

/** Seconds of our last round over those of the first: more than 1 if what is stored already, or is prepared for its pages, delays a batch. */
function lastOverFirst(rounds: readonly Round[]): number | null {
  const [first, last] = [rounds[0], rounds.at(-1)];
  if (first === undefined || last === undefined || rounds.length === 1) return null;
  return rounded(totalOf(last.ours) / totalOf(first.ours), 2);
}

function stagesOf(rounds: readonly Round[]) {
  const middle = (run: 'ours' | 'floor', stage: 'load' | 'work' | 'rows' | 'ads') =>
    rounded(median(rounds.map((round) => round[run][stage] ?? Number.NaN)));
  const of = (run: 'ours' | 'floor') => ({
    load: middle(run, 'load'),
    work: middle(run, 'work'),
    export: middle(run, 'rows'),
    export_per_ad: middle(run, 'ads'),
  });
  return { ours: of('ours'), floor: of('floor') };
}

function tableRows(figures: PipelineFigures): readonly (readonly (string | number)[])[] {
  const { ours, floor } = stagesOf(figures.rounds);
  const seconds = secondsOf(figures);
  const ratios = ratiosOf(figures);
  const { naive } = figures;
  return [
    ['floor: SQL alone', floor.load, floor.work, floor.export, seconds.floor, seconds.floor_per_ad, 1],
    [
      'ours',
      ours.load,
      ours.work,
      ours.export,
      seconds.ours,
      seconds.ours_per_ad,
      `${ratios.ours_over_floor} (per ad ${ratios.ads_over_sql})`,
    ],
    [
      'DuckDB, not durable',
      '',
      '',
      '',
      seconds.duckdb,
      '',
      `${rounded(seconds.duckdb / seconds.floor, 2)} (ours ${ratios.ours_over_duckdb} of it)`,
    ],
    ...(naive === null ? [] : [naiveRow(naive.run, `${ratios.naive_over_ours} of ours`)]),
  ];
}

function naiveRow({ load, work, rows }: { load: number; work: number; rows: number }, times: string) {
  return [
    'naive: a job each',
    rounded(load),
    rounded(work),
    rounded(rows),
    rounded(load + work + rows),
    '',
    times,
  ];
}

function naiveJson({ concurrency, sampled, run }: NonNullable<PipelineFigures['naive']>) {
  return { concurrency, sampled_companies_per_second: sampled, ...run };
}

function lastRoundNote(rounds: readonly Round[]): readonly string[] {
  const ratio = lastOverFirst(rounds);
  return ratio === null ? [] : [`Our last round took ${ratio} times the first, in one database.`];
}

function notesOf({ list: { expected }, creatives, rounds, naive }: PipelineFigures): readonly string[] {
  const count = (value: number) => value.toLocaleString('en');
  return [
    `${count(expected.rows)} rows, ${count(expected.lookups)} companies, ${count(expected.found)} found, ${count(expected.links)} links, ${count(creatives)} ads in the snapshot`,
    `Medians of ${rounds.length} rounds, ours and the floors in turns; their exports are equal byte by byte, and verify holds for all runs.`,
    ...lastRoundNote(rounds),
    'The floor leaves out: CSV and its checks, normalising, leases, queue, progress, going on after a crash.',
    'DuckDB reads the same keyed file as the floor, joins the ads as Parquet and writes the same rows, byte by byte; it stores nothing, charges nothing, and nothing of it is durable.',
    naive === null
      ? 'naive was not run.'
      : `naive ran once, in full, at its best concurrency of a sample: ${naive.concurrency}; the product's own load and export.`,
  ];
}
