import { createRoute, type z } from '@hono/zod-openapi';
import type { UsageFilter } from '../../../core/credits/usage.ts';
import { addDays } from '../../../core/time/day.ts';
import { NotFound } from '../../../core/errors.ts';
import { dayAt, parseTimeZone } from '../../../core/time/time-zone.ts';
import { Problem } from '../../http/problem.ts';
import { problemResponses } from '../../http/problem-responses.ts';
import type { Router } from '../../http/router.ts';
import { badCursor, cutPage } from '../../http/pages.ts';
import { toUsageLine, usageBody, usageQuery } from './usage-schema.ts';

/** Default and maximum number of days in a response. Our choice. */
const daysUsual = 30;
const daysMax = 366;
const dayMs = 86_400_000;

/** Routes `GET /v1/credits/usage`: charged and free lookups by day, batch or operation. */
export function routeUsage({ http, guards, services }: Router): void {
  const { usage } = services.credits;
  const route = createRoute({
    method: 'get',
    path: '/v1/credits/usage',
    summary: 'Read credit usage',
    description: `Returns the number of ended lookups, the charged ones with their cost, and the free ones by reason: by day (up to ${daysMax} days; days without
usage are omitted), by batch (newest first; all single searches and validations are one line at the end), or by operation. A lookup counts
on the day on which it ended.`,
    tags: ['Credits'],
    middleware: guards.read('credits:read'),
    request: { query: usageQuery },
    responses: {
      200: { description: 'The usage.', content: { 'application/json': { schema: usageBody } } },
      ...problemResponses('get'),
    },
  });
  http.openapi(route, async (c) => {
    const query = c.req.valid('query');
    const filter = filterOf(query);
    const { from, to, timeZone } = filter;
    const { lines, next } = await readLines(c.var.caller.accountId, filter, query);
    return c.json({ by: query.by, from, to, time_zone: timeZone, usage: lines.map(toUsageLine), next }, 200);
  });

  async function readLines(accountId: number, filter: UsageFilter, { by, limit, after }: Query) {
    if (by === 'day') return { lines: await usage.byDay(accountId, filter), next: null };
    if (by === 'operation') return { lines: await usage.byOperation(accountId, filter), next: null };
    const page = { limit: limit + 1, after: after ?? null };
    const found = await usage.byBatch(accountId, filter, page).catch((error: unknown) => {
      throw error instanceof NotFound ? badCursor() : error;
    });
    const { items: lines, next } = cutPage(found, limit, ({ batch }) => batch ?? '');
    return { lines, next };
  }
}

type Query = z.infer<typeof usageQuery>;

/** Converts a query to a filter. @throws Problem | ValidationError that names the field */
function filterOf({ by, from, to, time_zone: zone, operation, after }: Query): UsageFilter {
  const { name: timeZone, offsetMsAt } = parseTimeZone(zone, 'time_zone');
  if (by !== 'batch' && after !== undefined) throw refusal('after: is available only with by=batch');
  if (from !== undefined && to !== undefined && from > to) throw refusal('to: is before from');
  if (by !== 'day') return { from: from ?? null, to: to ?? null, timeZone, operation: operation ?? null };
  const today = dayText(dayAt({ name: timeZone, offsetMsAt }, Date.now()));
  const last = to ?? (from !== undefined && from > today ? from : today);
  const first = from ?? addDays(last, 1 - daysUsual);
  if (daysFrom(first, last) >= daysMax) throw refusal(`from: the period may have at most ${daysMax} days`);
  return { from: first, to: last, timeZone, operation: operation ?? null };
}

function daysFrom(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / dayMs;
}

function dayText(day: number): string {
  return addDays('1970-01-01', day);
}

function refusal(title: string): Problem {
  return new Problem('validation_error', { titles: [title] });
}
