import { parseArgs } from 'node:util';

/** Names of the benchmarks. */
const benchNames = [
  'pipeline',
  'ledger',
  'load',
  'growth',
  'peers',
  'nights',
  'disk',
  'purge',
  'start',
  'api',
  'email',
  'paced',
  'scans',
  'console',
  'landing',
  'verify',
] as const;
export type BenchName = (typeof benchNames)[number];

/** Options of a benchmark. Default sizes are those of the published results. */
export interface BenchOptions {
  readonly names: readonly BenchName[];
  readonly json: boolean;
  /** As small as possible with every step: shows that a benchmark works, and measures nothing. */
  readonly isSmallest: boolean;
  readonly seed: number;
  /** Number of measured runs of each kind, in alternation. */
  readonly rounds: number;
  readonly companies: number | null;
  readonly creatives: number | null;
  readonly rows: number | null;
  readonly naive: boolean;
  /** Adds what takes half an hour. */
  readonly isFull: boolean;
}

/** Size of something without its own option: of the published results, or the smallest reasonable one. */
export function sizeOf(
  { isSmallest }: BenchOptions,
  sizes: { readonly full: number; readonly smallest: number },
): number {
  return isSmallest ? sizes.smallest : sizes.full;
}

/** Usage. */
export const usage = `npm run -s bench -- NAME [--json] [--rounds N] [--seed N] [sizes]

  pipeline   list to export: ours, SQL alone, DuckDB, a job per company      --companies 20000 --creatives 1000000 --no-naive
  ledger     holds and charges on one account                               --rows 1000000 (entries of the audit)
  load       a million rows: a list, and a snapshot                         --rows 1000000
  growth     cost per company of a long list, and with --full of ten such   --companies 20000 --rows 1000000 --creatives 4000000 --full
  peers      the same task on the engines of others                         --companies 20000
  nights     30 nightly scans of ads of which 2 % change                    --companies 10000 --rows 30 (scans)
  disk       disk of a finished batch                                        --rows 200000
  purge      purge of a finished batch, and the disk that it gives back        --rows 1000000 --creatives 1000000
  start      private server, and --help
  api        the ads search over HTTP: ours, the least that it can be, Hono with no work   --creatives 100000
  email      addresses read beside validator, isemail and @hapi/address; mailboxes asked about   --rows 100000
  paced      how much of a source's pace 1, 2 and 4 workers use, beside a bare loop   --rows 500 (lookups)
  scans      1,000 schedules due in the same minute, on two workers, beside bare job schedulers   --rows 1000 (schedules)
  console    pages about a long list that is over, beside the same SQL alone   --rows 200000
  landing    a million rows to a bucket as Parquet, beside the local export   --rows 1000000
  verify     a million lookups from the start, and 100,000 later ones; with --full ten million   --rows 1000000 --full
  all        one after the other

--smallest: one round of a few seconds each, to see that they work; its figures mean nothing.`;

/** Thrown for an invalid command line; the message is the reason. */
export class UsageError extends Error {}

/**
 * Parses the command line.
 *
 * @throws UsageError with the reason.
 */
export function parseOptions(argv: readonly string[]): BenchOptions {
  const { values, positionals } = parseArguments(argv);
  return {
    names: parseNames(positionals),
    json: values.json,
    isSmallest: values.smallest,
    naive: values.naive,
    isFull: values.full,
    rounds: parseCount('--rounds', values.rounds ?? (values.smallest ? '1' : roundsDefault)),
    seed: parseCount('--seed', values.seed),
    companies: values.companies === undefined ? null : parseCount('--companies', values.companies),
    creatives: values.creatives === undefined ? null : parseCount('--creatives', values.creatives),
    rows: values.rows === undefined ? null : parseCount('--rows', values.rows),
  };
}

function parseArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, allowNegative: true, options: known });
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

const roundsDefault = '3';

const known = {
  json: { type: 'boolean', default: false },
  naive: { type: 'boolean', default: true },
  full: { type: 'boolean', default: false },
  smallest: { type: 'boolean', default: false },
  rounds: { type: 'string' },
  seed: { type: 'string', default: '20261121' },
  companies: { type: 'string' },
  creatives: { type: 'string' },
  rows: { type: 'string' },
} as const;

function parseNames(names: readonly string[]): readonly BenchName[] {
  if (names.length === 1 && names[0] === 'all') return benchNames;
  const wanted = benchNames.filter((name) => names.includes(name));
  if (wanted.length === 0 || wanted.length !== names.length)
    throw new UsageError(`"${names.join(' ')}": name a benchmark: ${benchNames.join(', ')}, all.`);
  return wanted;
}

function parseCount(name: string, text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`${name} ${text}: expected a whole number from 1 on.`);
  return Number(text);
}
