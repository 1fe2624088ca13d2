import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect } from 'vitest';
import { companiesOf } from './listed-companies.ts';
import { readNightshift, runNightshift, type Environment } from '../cli/nightshift-process.ts';
import { temporaryFolder, type BatchRun } from './loaded-batch.ts';
import { generateAds } from '../stand-in/stand-in-ads.ts';
import { effectsByKey, type StandInCall } from '../stand-in/stand-in-log.ts';

/** A line of the export, with the columns that tests read. */
export interface ExportedRow {
  readonly row: string;
  readonly company: string;
  readonly domain: string;
  readonly ads_outcome: string;
  readonly ads_reason: string;
  readonly ads_count: string;
  readonly ads_credits_consumed: string;
}

/** Answer of a stand-in with the default seed for a company. */
export function expectedAnswer(company: string): {
  readonly outcome: 'found' | 'none';
  readonly ads: number;
} {
  const ads = generateAds(company, 1).length;
  return { outcome: ads > 0 ? 'found' : 'none', ads };
}

/** Company of a call: the domain, otherwise the name. */
export function askedIn({ body }: Pick<StandInCall, 'body'>): string {
  const { company_domain, company_name } = body as { company_domain?: string; company_name?: string };
  return company_domain ?? company_name ?? '';
}

/** A finished batch of a list. */
type ExportedRun = Pick<BatchRun, 'batch' | 'environment' | 'rows'>;

/** Exports the finished batch and checks the unconditional guarantee: every row of the file is there, once and in order. */
export async function exportEveryRow(run: ExportedRun): Promise<readonly ExportedRow[]> {
  const file = join(temporaryFolder(), 'export.csv');
  await readNightshift(['export', run.batch, '-o', file, '--raw'], run.environment);
  const exported: readonly ExportedRow[] = parse(readFileSync(file), { columns: true, bom: true });
  const ownCells = exported.map(({ row, company, domain }) => [row, company, domain]);
  expect(ownCells).toEqual(run.rows.map(({ row, company, domain }) => [row, company, domain]));
  run.rows.forEach(({ asked }, i) => {
    expect(exported[i]?.ads_outcome === 'rejected', `row ${i + 1} is rejected`).toBe(asked === null);
  });
  return exported;
}

/** The first row of each company; the others repeat it at no cost. */
export function firstRows(
  run: Pick<BatchRun, 'rows'>,
  exported: readonly ExportedRow[],
): ReadonlyMap<string, ExportedRow> {
  const first = new Map<string, ExportedRow>();
  run.rows.forEach(({ asked }, i) => {
    const row = exported[i];
    if (asked === null || row === undefined) return;
    const earlier = first.get(asked);
    if (earlier === undefined) first.set(asked, row);
    else expect([row.ads_outcome, row.ads_credits_consumed]).toEqual([earlier.ads_outcome, '0']);
  });
  expect([...first.keys()]).toEqual(companiesOf(run.rows));
  return first;
}

/**
 * Checks a finished batch against the log of its source: every company was asked, paid for once, and exported with its answer, and the
 * accounts agree. A dead letter may have been paid for before its worker died, and again by its retry: returns the number of those.
 */
export async function expectNothingLostOrBoughtTwice(
  run: BatchRun,
  { log, deadLetters }: { readonly log: readonly StandInCall[]; readonly deadLetters: readonly string[] },
): Promise<number> {
  const companies = companiesOf(run.rows);
  expect([...effectsByKey(log)].filter(([, count]) => count !== 1)).toEqual([]);
  const bought = log.filter(({ effect }) => effect).map(askedIn);
  expect([...new Set(bought)].sort()).toEqual([...companies].sort());
  const seen = new Set<string>();
  const again = bought.filter((company) => seen.has(company) || !seen.add(company));
  expect(again.filter((company) => !deadLetters.includes(company))).toEqual([]);
  expect(deadLetters.length, 'dead letters').toBeLessThan(companies.length / 100);

  const answers = firstRows(run, await exportEveryRow(run));
  const reported = [...answers].map(([company, { ads_outcome, ads_reason, ads_count }]) => {
    return [company, ads_outcome, ads_reason, ads_count];
  });
  expect(reported).toEqual(
    companies.map((company) => {
      const { outcome, ads } = expectedAnswer(company);
      return [company, outcome, '', `${ads}`];
    }),
  );
  const finds = companies.filter((company) => expectedAnswer(company).ads > 0).length;
  await expectBalancedAccounts(run, finds);
  return again.length;
}

/** Compares the charged credits with the number of finds in the log of the source, and runs `nightshift verify`. */
export async function expectBalancedAccounts(run: BatchRun, finds: number): Promise<void> {
  const { environment, batch, grants } = run;
  const tenths = 2 * finds;
  expect(await readNightshift(['credits'], environment)).toEqual({
    account: 'default',
    balance: (10 * grants - tenths) / 10,
    held: 0,
  });
  expect(await readNightshift(['status', batch], environment)).toMatchObject({
    state: 'finished',
    lookups: { open: 0, found: finds },
    credits: { charged: tenths / 10 },
  });
  // Of all that was proved before, too; with a finished batch.
  await expectInvariants(environment, { args: ['--full'], also: [11] });
}

/** Invariants that apply to every record. */
const invariantsOfAll = [1, 2, 3, 4, 5, 6, 8, 12];

/** It reads every call and movement: minutes for the sizes of the proof. */
const verifyMsMax = 600_000;

/**
 * Runs `nightshift verify` and checks its output; the exit code alone would not name the broken invariant.
 *
 * @param also numbers of the invariants that hold besides those that apply to every record.
 */
export async function expectInvariants(
  environment: Environment,
  { args = [], also = [] }: { readonly args?: readonly string[]; readonly also?: readonly number[] } = {},
): Promise<void> {
  const { stdout, stderr } = await runNightshift(['verify', '--json', ...args], environment, {
    timeoutMs: verifyMsMax,
  });
  expect(stdout, stderr).not.toBe('');
  const { invariants = [] } = JSON.parse(stdout) as {
    invariants?: readonly {
      readonly number: number;
      readonly status: string;
      readonly broken: readonly string[];
    }[];
  };
  expect(invariants.flatMap(({ broken }) => broken)).toEqual([]);
  const holding = invariants.filter(({ status }) => status === 'holds').map(({ number }) => number);
  expect(holding, `${stdout}${stderr}`).toEqual(expect.arrayContaining([...invariantsOfAll, ...also]));
}
