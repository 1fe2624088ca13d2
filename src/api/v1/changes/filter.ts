import { parseTimeZone } from '../../../core/time/time-zone.ts';
import { readSince } from '../../../core/time/parse-since.ts';
import type { ChangeFilter } from '../../../core/changes/change-list.ts';
import { companyKeyOf } from '../fields/company-query.ts';
import type { z } from '@hono/zod-openapi';
import type { changesFilterQuery } from './schema.ts';

/** Parses the filter of changes. @throws ValidationError for an unknown time zone, time or company. */
export function filterOf(query: z.infer<typeof changesFilterQuery>): ChangeFilter {
  const { name: timeZone } = parseTimeZone(query.time_zone, 'time_zone');
  return {
    schedule: query.schedule ?? null,
    kinds: query.kind ?? null,
    format: query.ad_format ?? null,
    companyKey: companyKeyOf(query),
    since: query.since === undefined ? null : readSince(query.since, 'since:'),
    scan: query.scan ?? null,
    day: query.day === undefined ? null : { day: query.day, timeZone },
  };
}
