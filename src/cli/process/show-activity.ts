import type { App } from '../../app/app.ts';
import { sleep } from '../../core/async/wait.ts';
import { counted, countsOf } from '../../core/events/messages/text.ts';
import { momentText } from '../../core/reports/days.ts';
import { visibleText } from '../../core/reports/visible-text.ts';
import type {
  FailedDelivery,
  RecentLanding,
  RecentScan,
  ServiceActivity,
} from '../../core/work/service-activity.ts';
import type { Output } from '../terminal/output.ts';

const pollEveryMs = 2000;
/** Far longer than the interval, so that an outage of the database hides nothing. */
const windowMs = 10 * 60_000;

/**
 * Prints a line for each scan that starts or ends, each landing, and each failed delivery, whichever process has done it; nothing with `--json`.
 * `close` stops it.
 */
export function showActivity(
  { output }: { readonly output: Output },
  { events: { activity }, log }: Pick<App, 'events' | 'log'>,
): { readonly close: () => Promise<void> } {
  const stop = new AbortController();
  const readNew = createActivityReader(() => activity.readRecent(windowMs));

  async function keepShowing(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        for (const line of await readNew()) output.note(line);
      } catch (error) {
        log.warn({ err: error }, 'activity not read; will retry');
      }
      await sleep(pollEveryMs, stop.signal).catch(() => undefined);
    }
  }

  const ended = output.isJson ? Promise.resolve() : keepShowing();
  return {
    close: async () => {
      stop.abort();
      await ended;
    },
  };
}

/** Creates a function that reads the lines that are new since its last call. The first call returns none. */
export function createActivityReader(read: () => Promise<ServiceActivity>): () => Promise<readonly string[]> {
  let known: ReadonlySet<string> | null = null;
  return async () => {
    const lines = linesOf(await read());
    const before = known;
    known = new Set(lines.map(({ key }) => key));
    return before === null ? [] : lines.flatMap(({ key, text }) => (before.has(key) ? [] : [text]));
  };
}

interface Line {
  readonly key: string;
  readonly text: string;
}

function linesOf({ scans, landings, failures }: ServiceActivity): readonly Line[] {
  return [...scans.flatMap(scanLines), ...landings.map(landingLine), ...failures.map(failureLine)];
}

function scanLines({ scan, batch, schedule, begunAt, ended }: RecentScan): readonly Line[] {
  const name = visibleText(schedule);
  const started = { key: `${scan} ${begunAt.getTime()}`, text: `Scan of ${name} started: ${batch}` };
  if (ended === null) return [started];
  const { state, at, changes } = ended;
  const kinds = (['new', 'reactivated', 'changed', 'ended'] as const).map(
    (kind) => [changes[kind] ?? 0, kind] as const,
  );
  const text = `Scan of ${name} ${state}: ${batch}, ${countsOf(kinds) || 'no changes'}`;
  return [started, { key: `${scan} ${at.getTime()} ended`, text }];
}

function landingLine(landing: RecentLanding): Line {
  const { batch, destination, shape, contentKey, attempts, rows, error, nextAt } = landing;
  const what = `${shape} of ${batch}`;
  const name = visibleText(destination);
  const key = `${contentKey} ${destination} ${attempts} ${rows ?? ''}`;
  if (rows !== null) return { key, text: `Landed in ${name}: ${what}, ${counted(rows, 'line')}` };
  return {
    key,
    text: `Landing in ${name} failed: ${what}: ${visibleText(error ?? '')} ${nextText(nextAt)}.`,
  };
}

function nextText(nextAt: Date | null): string {
  return nextAt === null ? 'No more attempts' : `Next attempt at ${momentText(nextAt)}`;
}

function failureLine({ eventId, event, webhook, attempts, error, nextAt }: FailedDelivery): Line {
  return {
    key: `${eventId} ${webhook} ${attempts}`,
    text: `Delivery of ${event} to the webhook ${visibleText(webhook)} failed: ${visibleText(error)}. ${nextText(nextAt)}.`,
  };
}

/** Returns a warning for webhooks that send mail while no mail server is set; null without such webhooks. */
export function missingMailWarning(mailWebhooks: number): string | null {
  if (mailWebhooks === 0) return null;
  const webhooks = counted(mailWebhooks, 'webhook sends', 'webhooks send');
  return `Warning: ${webhooks} mail, but NIGHTSHIFT_SMTP_URL is not set.`;
}
