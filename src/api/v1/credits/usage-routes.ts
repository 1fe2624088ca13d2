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

/** Days that are told of at once, unless others are asked for; and the most. Our choice. */
const daysUsual = 30;
const daysMax = 366;
const dayMs = 86_400_000;

/** `GET /v1/credits/usage`: what was charged and what was free, by day, batch or operation. */
export function routeUsage({ http, guards, services }: Router): void {
  const { usage } = services.credits;
  const route = createRoute({
    method: 'get',
    path: '/v1/credits/usage',
    summary: 'Read what credits went into',
    description: `How many lookups ended, how many were charged and what they cost, and how many were free and why: by day (up to ${daysMax} of them, those with
something), by batch (the newest first, and last all single searches and validations together), or by operation. A lookup counts when it
ended.`,
    tags: ['Credits'],
    middleware: guards.read('credits:read'),
    request: { query: usageQuery },
    responses: {
      200: { description: 'What it came to.', content: { 'application/json': { schema: usageBody } } },
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

/** @throws Problem | ValidationError naming the field. */
function filterOf({ by, from, to, time_zone: zone, operation, after }: Query): UsageFilter {
  const { name: timeZone, offsetMsAt } = parseTimeZone(zone, 'time_zone');
  if (by !== 'batch' && after !== undefined) throw refusal('after: only batches come in pages');
  if (from !== undefined && to !== undefined && from > to) throw refusal('to: lies before from');
  if (by !== 'day') return { from: from ?? null, to: to ?? null, timeZone, operation: operation ?? null };
  const today = dayText(dayAt({ name: timeZone, offsetMsAt }, Date.now()));
  const last = to ?? (from !== undefined && from > today ? from : today);
  const first = from ?? addDays(last, 1 - daysUsual);
  if (daysFrom(first, last) >= daysMax) throw refusal(`from: at most ${daysMax} days are told of at once`);
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
