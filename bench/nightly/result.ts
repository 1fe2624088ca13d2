import { median, rounded } from '../support/figures.ts';
import type { Machine } from '../support/machine.ts';
import type { BenchResult } from '../support/table.ts';
import type { ScanTaskResult } from '../product/tasks.ts';

/** One night: seconds of the snapshot's load and of the scan, bytes that both added to the record, and the changes that were found. */
export interface NightlyScan extends Pick<ScanTaskResult, 'lookedUp' | 'changes' | 'peakRssMb'> {
  readonly load: number;
  readonly scan: number;
  readonly bytes: number;
}

export interface NightlyFigures {
  readonly machine: Machine;
  readonly companies: number;
  readonly adsPerCompany: number;
  readonly scans: readonly NightlyScan[];
}

/** The first scan, the median and the largest of those after it, and their ratios. */
export function nightlyResult({ machine, companies, adsPerCompany, scans }: NightlyFigures): BenchResult {
  const [first, ...later] = scans;
  if (first === undefined) throw new Error('There is no scan.');
  const middle = (of: (scan: NightlyScan) => number) => median(later.map(of));
  const most = (of: (scan: NightlyScan) => number) => Math.max(...later.map(of));
  const ratio = (of: (scan: NightlyScan) => number) => rounded(middle(of) / of(first), 3);
  const line = (label: string, choose: (of: (scan: NightlyScan) => number) => number) => [
    label,
    rounded(choose(({ bytes }) => bytes) / 1e6, 1),
    ...[scanOf, lookupsOf, evaluationOf, loadOf].map((of) => rounded(choose(of), 2)),
    Math.round(choose(changesOf)),
  ];
  const ratios = {
    night_bytes_over_first: ratio(({ bytes }) => bytes),
    night_time_over_first: ratio(scanOf),
    lookups_time_over_first: ratio(lookupsOf),
    evaluation_time_over_first: ratio(evaluationOf),
    load_time_over_first: ratio(loadOf),
  };
  const count = (value: number) => value.toLocaleString('en');
  return {
    name: 'nights',
    head: ['', 'MB added', 'scan, s', 'lookups, s', 'evaluation, s', 'snapshot load, s', 'changes'],
    rows: [
      line('first', (of) => of(first)),
      line(`median of the ${later.length} after it`, middle),
      line('most', most),
      [
        'median over first',
        ratios.night_bytes_over_first,
        ratios.night_time_over_first,
        ratios.lookups_time_over_first,
        ratios.evaluation_time_over_first,
        ratios.load_time_over_first,
        '',
      ],
    ],
    notes: [
      `${scans.length} scans of ${count(companies)} companies with ${adsPerCompany} ads each; 2 % of the ads change a night, all others are seen on the new day.`,
      'Each night loads its own snapshot. MB: the whole database after VACUUM, without the tables of the snapshot itself.',
      'A scan: from its request until its changes are known. The changes, lookups, ads and charges of each were compared with those generated.',
    ],
    json: {
      ratios,
      mb_added: {
        first: rounded(first.bytes / 1e6, 2),
        median: rounded(middle(({ bytes }) => bytes) / 1e6, 2),
      },
      seconds: { first: rounded(first.scan), median: rounded(middle(({ scan }) => scan)) },
      peak_rss_mb: Math.max(...scans.map(({ peakRssMb }) => peakRssMb)),
      work: { companies, ads: companies * adsPerCompany, scans: scans.length },
      machine,
      scans,
    },
  };
}

function changesOf({ changes }: NightlyScan): number {
  return changes.new + changes.changed + changes.ended;
}

const scanOf = ({ scan }: NightlyScan) => scan;
const lookupsOf = ({ lookedUp }: NightlyScan) => lookedUp;
const loadOf = ({ load }: NightlyScan) => load;

function evaluationOf({ scan, lookedUp }: NightlyScan): number {
  return scan - lookedUp;
}
