import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCounted, formatCredits } from '../../components/format.ts';

type Schedule = components['schemas']['Schedule'];
type Scan = components['schemas']['Scan'];
type Run = components['schemas']['ScanRun'];
type Tone = 'good' | 'bad' | 'warm' | 'cool' | 'plain';

/** Label and tone of each state of a scan. */
export const scanLabels: Readonly<Record<Scan['state'], readonly [tone: Tone, name: string]>> = {
  waiting: ['cool', 'Waits'],
  running: ['cool', 'Running'],
  finished: ['good', 'Finished'],
  cancelled: ['plain', 'Cancelled'],
  skipped: ['warm', 'Skipped'],
  missed: ['bad', 'Missed'],
};

/** Labels of the causes of a scan. */
export const causeLabels: Readonly<Record<Scan['cause'], string>> = {
  tick: 'by the clock',
  catch_up: 'to make up for missed times',
  manual: 'by hand',
};

/** Completeness of a run: the number of companies with an answer, by extent. */
export function answersText({ companies }: Pick<Run, 'companies'>): string {
  if (companies === null) return '–';
  const parts = [
    [companies.complete, 'complete'],
    [companies.truncated, 'cut short'],
    [companies.partial, 'partial'],
    [companies.unconfirmed_empty, 'empty, unconfirmed'],
    [companies.failed, 'failed'],
  ] as const;
  return countsText(parts) || 'none';
}

/** Changes of a run: "3 new, 1 ended". */
export function newsText({ changes }: Pick<Run, 'changes'>): string {
  if (changes === null) return 'not compared yet';
  const parts = [
    [changes.new, 'new'],
    [changes.reactivated, 'back'],
    [changes.changed, 'changed'],
    [changes.ended, 'ended'],
  ] as const;
  return countsText(parts) || 'nothing new';
}

/** Counts with their words, without those that are 0. */
function countsText(parts: readonly (readonly [count: number, word: string])[]): string {
  return parts
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`)
    .join(', ');
}

/** Terms of a schedule, line by line. */
export function termsOf(schedule: Schedule): readonly (readonly [name: string, value: string])[] {
  const { region, max_ads: ads, own_only: own, max_age: age } = schedule;
  const search = [
    ...(region === null ? [] : [`shown in ${region}`]),
    ...(ads === null ? [] : [`at most ${formatCounted(ads, 'ad')} of a company`]),
    ...(own ? ['without those of third parties'] : []),
    ...(age === null ? [] : [`answers up to ${age} old are shown again, free`]),
  ];
  return [
    ['List', `${schedule.file_name}, ${formatCounted(schedule.companies, 'company', 'companies')}`],
    ['Ads from', schedule.sources.join(', ')],
    ...(search.length === 0 ? [] : [['Only', search.join('; ')] as const]),
    ['A scan may cost', budgetText(schedule.max_credits)],
    ['A day may cost', budgetText(schedule.max_credits_per_day)],
    [
      'While a scan still runs',
      schedule.overlap === 'skip' ? 'the next time is left out' : 'the next scan waits for it',
    ],
    ['Times that were missed', schedule.catch_up === 'once' ? 'are made up for by one scan' : 'are left out'],
    [
      'An ad has ended',
      `when ${formatCounted(schedule.misses_to_end, 'complete scan')} in a row did not have it, or its source last saw it over ${schedule.stale_after.replace('d', ' days')} ago`,
    ],
    ['Who is told', notifyText(schedule.notify)],
  ];
}

function budgetText(credits: number | null): string {
  return credits === null
    ? 'as much as it takes'
    : `up to ${formatCounted(credits, 'credit').replace(/^\S+/, formatCredits(credits))}`;
}

function notifyText(notify: readonly string[] | null): string {
  if (notify === null) return 'all webhooks that take news of scans';
  return notify.length === 0 ? 'nobody' : notify.join(', ');
}
