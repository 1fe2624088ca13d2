import { counted, timeText } from '../../../core/events/messages/text.ts';
import { formatAge } from '../../../core/time/parse-age.ts';
import { creditsNumber } from '../../../core/credits/credits.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import type { Scan, Schedule } from '../../../core/schedules/schedule.ts';
import { nextTicks } from '../../../core/schedules/ticks.ts';
import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { creditsText } from '../../terminal/credits-text.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Number of next runs in the output. */
const timesShown = 5;

/** Converts a schedule to its form in `--json`. Amounts are in credits. */
export function scheduleJson(schedule: Schedule) {
  const { search, lastScan } = schedule;
  const next = timesOf(schedule);
  return {
    id: schedule.publicId,
    name: schedule.name,
    cron: schedule.cron,
    description: describeTimes(schedule),
    timeZone: schedule.timeZone,
    state: schedule.state,
    nextAt: next[0] ?? null,
    next,
    companies: schedule.companies,
    fileName: schedule.fileName,
    sources: schedule.sources,
    region: search.region,
    maxAds: search.adsMax,
    ownOnly: search.ownOnly,
    maxAge: search.ageMsMax === null ? null : formatAge(search.ageMsMax),
    maxCredits: creditsOrNull(schedule.maxCreditsMicro),
    maxCreditsPerDay: creditsOrNull(schedule.dayCreditsMicro),
    overlap: schedule.overlap,
    catchUp: schedule.catchUp,
    missesToEnd: schedule.missesToEnd,
    staleAfter: `${schedule.staleDays}d`,
    notify: schedule.notify,
    lastScan: lastScan === null ? null : scanJson(lastScan),
    createdAt: schedule.createdAt,
  };
}

/** Converts a scan to its form in `--json`. */
export function scanJson({ publicId, state, reason, cause, dueAt, ticks, batch, begunAt, finishedAt }: Scan) {
  return { id: publicId, state, reason, cause, dueAt, ticks, batch, begunAt, finishedAt };
}

/** Formats schedules for people, one paragraph each. */
export function schedulesText(schedules: readonly Schedule[]): string {
  if (schedules.length === 0)
    return 'No schedules yet. Add one with: nightshift schedule add NAME --companies FILE --cron "0 2 * * 1-5"';
  return schedules.map(scheduleText).join('\n\n');
}

/** Formats one schedule: its times, next runs, companies and last scan. */
function scheduleText(schedule: Schedule): string {
  const { name, publicId, timeZone, companies, fileName, sources, lastScan } = schedule;
  const next = timesOf(schedule).map((time) => timeText(time, timeZone));
  return [
    `${name}  (${publicId}, ${schedule.state})`,
    `  When       ${describeTimes(schedule)}, ${timeZone}  (${schedule.cron})`,
    ...(next.length === 0 ? [] : [`  Next       ${next.join('\n             ')}`]),
    `  Companies  ${companies.toLocaleString('en')} of ${fileName}, from ${sources.join(', ')}${searchText(schedule)}`,
    `  Last scan  ${lastScan === null ? 'none yet' : scanText(lastScan, timeZone)}`,
  ].join('\n');
}

/** Formats a schedule with all its settings. */
export function scheduleDetails(schedule: Schedule): string {
  const { maxCreditsMicro, dayCreditsMicro, overlap, catchUp, missesToEnd, staleDays, notify } = schedule;
  return [
    scheduleText(schedule),
    `  Budget     ${budgetText(maxCreditsMicro, 'scan')}, ${budgetText(dayCreditsMicro, 'day')}`,
    `  Overlap    ${overlap}: while a scan runs, the next one ${overlap === 'skip' ? 'is skipped' : 'waits'}`,
    `  Catch-up   ${catchUp}: missed runs are ${catchUp === 'once' ? 'replaced by one scan' : 'skipped'}`,
    `  Ended ads  after ${counted(missesToEnd, 'complete scan')} without them, or when last seen over ${counted(staleDays, 'day')} ago`,
    `  Notify     ${notifyText(notify)}`,
  ].join('\n');
}

/** Formats scans for people, one line each. */
export function scansText(scans: readonly Scan[], timeZone: string, columnsMax: number): string {
  return formatTable(
    ['due', { title: 'scan', hide: 1 }, 'state', 'batch', { title: 'reason', hide: 2 }],
    scans.map((scan) => [
      timeText(scan.dueAt, timeZone),
      causeText(scan),
      scan.state,
      scan.batch ?? '',
      scan.reason ?? '',
    ]),
    columnsMax,
  );
}

function describeTimes({ cron }: Schedule): string {
  return describeCron(parseCron(cron, 'cron'));
}

/** Returns the next runs of a schedule; none while it is paused. */
function timesOf({ cron, timeZone, state, readAt }: Schedule): readonly Date[] {
  if (state !== 'active') return [];
  return nextTicks(parseCron(cron, 'cron'), parseTimeZone(timeZone, 'time zone'), readAt, timesShown);
}

function scanText(scan: Scan, timeZone: string): string {
  const { state, reason, batch } = scan;
  return [
    `${timeText(scan.dueAt, timeZone)} (${causeText(scan)}): ${state}`,
    ...(batch === null ? [] : [batch]),
    ...(reason === null ? [] : [reason]),
  ].join(', ');
}

function causeText({ cause, ticks }: Scan): string {
  if (cause === 'manual') return 'manual';
  if (cause === 'catch_up') return `catch-up of ${counted(ticks, 'run')}`;
  return ticks === 1 ? 'scheduled' : `scheduled, ${ticks} runs`;
}

function searchText({ search: { region, surface, adsMax, ownOnly } }: Schedule): string {
  return [
    ...(region === null ? [] : [`, shown in ${region}`]),
    ...(surface === null ? [] : [`, shown on ${surface}`]),
    ...(adsMax === null ? [] : [`, at most ${counted(adsMax, 'ad')} each`]),
    ...(ownOnly ? [', without ads of third parties'] : []),
  ].join('');
}

function budgetText(micro: bigint | null, period: string): string {
  return micro === null ? `no limit per ${period}` : `${creditsText(micro)} per ${period}`;
}

function notifyText(notify: readonly string[] | null): string {
  if (notify === null) return 'all webhooks subscribed to scan events';
  return notify.length === 0 ? 'none' : notify.join(', ');
}

function creditsOrNull(micro: bigint | null): number | null {
  return micro === null ? null : creditsNumber(micro);
}
