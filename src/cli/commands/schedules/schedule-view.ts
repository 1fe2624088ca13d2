import { formatAge } from '../../../core/text/parse-age.ts';
import { creditsNumber, formatCredits } from '../../../core/credits/credits.ts';
import { describeCron } from '../../../core/schedules/describe-cron.ts';
import { parseCron } from '../../../core/schedules/cron.ts';
import type { Scan, Schedule } from '../../../core/schedules/schedule.ts';
import { nextTicks } from '../../../core/schedules/ticks.ts';
import { parseTimeZone } from '../../../core/schedules/time-zone.ts';
import { formatTable } from '../../terminal/output.ts';

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
  const next = timesOf(schedule).map((time) => localTime(time, timeZone));
  return [
    `${name}  (${publicId}, ${schedule.state})`,
    `  When       ${describeTimes(schedule)}, ${timeZone}  (${schedule.cron})`,
    ...(next.length === 0 ? [] : [`  Next       ${next.join('\n             ')}`]),
    `  Companies  ${companies} of ${fileName}, from ${sources.join(', ')}${searchText(schedule)}`,
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
    `  Ended ads  after ${missesToEnd} complete scans without them, or when last seen over ${staleDays} days ago`,
    `  Notify     ${notifyText(notify)}`,
  ].join('\n');
}

/** Formats scans for people, one line each. */
export function scansText(scans: readonly Scan[], timeZone: string): string {
  if (scans.length === 0) return 'No scans yet.';
  return formatTable(
    ['due', 'scan', 'state', 'batch', 'reason'],
    scans.map((scan) => [
      localTime(scan.dueAt, timeZone),
      causeText(scan),
      scan.state,
      scan.batch ?? '',
      scan.reason ?? '',
    ]),
  );
}

/** Formats a time in a time zone: `Mon 2026-03-30 02:00 GMT+2`. */
export function localTime(time: Date, timeZone: string): string {
  const parts = new Map(
    new Intl.DateTimeFormat('en-u-hc-h23', {
      timeZone,
      ...{ weekday: 'short', year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'shortOffset' },
    })
      .formatToParts(time)
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const day = `${part('year')}-${part('month')}-${part('day')}`;
  return `${part('weekday')} ${day} ${part('hour')}:${part('minute')} ${part('timeZoneName')}`;
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
    `${localTime(scan.dueAt, timeZone)} (${causeText(scan)}): ${state}`,
    ...(batch === null ? [] : [batch]),
    ...(reason === null ? [] : [reason]),
  ].join(', ');
}

function causeText({ cause, ticks }: Scan): string {
  if (cause === 'manual') return 'manual';
  if (cause === 'catch_up') return `catch-up of ${ticks} ${ticks === 1 ? 'run' : 'runs'}`;
  return ticks === 1 ? 'scheduled' : `scheduled, ${ticks} runs`;
}

function searchText({ search: { region, adsMax, ownOnly } }: Schedule): string {
  return [
    ...(region === null ? [] : [`, shown in ${region}`]),
    ...(adsMax === null ? [] : [`, at most ${adsMax} ads each`]),
    ...(ownOnly ? [', without ads of third parties'] : []),
  ].join('');
}

function budgetText(micro: bigint | null, period: string): string {
  return micro === null ? `no limit per ${period}` : `${formatCredits(micro)} credits per ${period}`;
}

function notifyText(notify: readonly string[] | null): string {
  if (notify === null) return 'all webhooks subscribed to scan events';
  return notify.length === 0 ? 'none' : notify.join(', ');
}

function creditsOrNull(micro: bigint | null): number | null {
  return micro === null ? null : creditsNumber(micro);
}
