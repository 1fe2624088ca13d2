import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCounted, formatCredits } from '../../components/format.ts';

type Schedule = components['schemas']['Schedule'];
type Scan = components['schemas']['Scan'];
type Run = components['schemas']['ScanRun'];
type Tone = 'good' | 'bad' | 'warm' | 'cool' | 'plain';

/** Label and tone of each state of a scan. */
export const scanLabels: Readonly<Record<Scan['state'], readonly [tone: Tone, name: string]>> = {
  waiting: ['cool', 'Waiting'],
  running: ['cool', 'Running'],
  finished: ['good', 'Finished'],
  cancelled: ['plain', 'Cancelled'],
  skipped: ['warm', 'Skipped'],
  missed: ['bad', 'Missed'],
};

/** Labels of the causes of a scan. */
export const causeLabels: Readonly<Record<Scan['cause'], string>> = {
  tick: 'scheduled',
  catch_up: 'catch-up',
  manual: 'manual',
};

/** Formats the completeness of a scan: the number of companies by extent of their result. */
export function completenessText({ companies }: Pick<Run, 'companies'>): string {
  if (companies === null) return '–';
  const parts = [
    [companies.complete, 'complete'],
    [companies.truncated, 'truncated'],
    [companies.partial, 'partial'],
    [companies.unconfirmed_empty, 'without ads (unconfirmed)'],
    [companies.failed, 'failed'],
  ] as const;
  return countsText(parts) || 'none';
}

/** Formats the changes of a scan: "3 new, 1 ended". */
export function changesText({ changes }: Pick<Run, 'changes'>): string {
  if (changes === null) return 'pending';
  const parts = [
    [changes.new, 'new'],
    [changes.reactivated, 'back'],
    [changes.changed, 'changed'],
    [changes.ended, 'ended'],
  ] as const;
  return countsText(parts) || 'none';
}

/** Formats counts with their labels, without zeros. */
function countsText(parts: readonly (readonly [count: number, label: string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, label]) => `${count} ${label}`)
    .join(', ');
}

/** Lists the settings of a schedule, with their labels. */
export function scheduleTerms(schedule: Schedule): readonly (readonly [name: string, value: string])[] {
  const search = searchText(schedule);
  return [
    ['File', `${schedule.file_name}, ${formatCounted(schedule.companies, 'company', 'companies')}`],
    ['Ad sources', schedule.sources.join(', ')],
    ...(search === '' ? [] : [['Search options', search] as const]),
    ['Budget per scan', budgetText(schedule.max_credits)],
    ['Budget per day', budgetText(schedule.max_credits_per_day)],
    [
      'If the previous scan still runs',
      schedule.overlap === 'skip' ? 'skip the next scan' : 'queue the next scan',
    ],
    ['Missed scans', schedule.catch_up === 'once' ? 'run once to catch up' : 'skip'],
    [
      'An ad ends',
      `after ${formatCounted(schedule.misses_to_end, 'complete scan', 'complete scans in a row')} without it, or ${schedule.stale_after.replace('d', ' days')} after its source last saw it`,
    ],
    ['Notifications', notifyText(schedule.notify)],
  ];
}

/** Formats search options; empty without any. */
export function searchText({
  region,
  max_ads: ads,
  own_only: own,
  max_age: age,
}: Pick<Schedule, 'region' | 'max_ads' | 'own_only' | 'max_age'>): string {
  return [
    ...(region === null ? [] : [`country ${region}`]),
    ...(ads === null ? [] : [`up to ${formatCounted(ads, 'ad')} per company`]),
    ...(own ? ['no third-party ads'] : []),
    ...(age === null ? [] : [`reuse results up to ${age} old`]),
  ].join(', ');
}

function budgetText(credits: number | null): string {
  return credits === null
    ? 'no limit'
    : `up to ${formatCounted(credits, 'credit').replace(/^\S+/, formatCredits(credits))}`;
}

function notifyText(notify: readonly string[] | null): string {
  if (notify === null) return 'all webhooks that receive scan events';
  return notify.length === 0 ? 'none' : notify.join(', ');
}
