import { z } from '@hono/zod-openapi';
import { adsQuery, parseAdCursor, toAdFilter } from '../../src/api/v1/ads/list-schema.ts';
import { chartsQuery } from '../../src/api/v1/charts/schema.ts';
import { emailsQuery, toEmailFilter } from '../../src/api/v1/emails/schema.ts';
import { parseLookupCursor } from '../../src/api/v1/fields/lookup-cursor.ts';
import { pageQuery } from '../../src/api/http/pages.ts';
import { rowSortQuery } from '../../src/api/v1/batches/rows-schema.ts';
import { parseRowSort } from '../../src/core/batches/row-sort.ts';
import { resultFilterQuery, toResultFilter } from '../../src/api/v1/fields/result-filter.ts';
import type { ResultStores } from './stores.ts';

/** One request, and the same query through the stores that its route reads. */
export interface Asked {
  readonly path: string;
  /** Returns the number of items on the page. */
  readonly read: (stores: ResultStores) => Promise<number>;
  /** Counts the same items in the body of an answer. */
  readonly countOf: (body: unknown) => number;
}

/** Query parameters of a URL. */
export type Query = Readonly<Record<string, string>>;

const rowsQuery = z.object({ ...pageQuery(1000, 100), ...rowSortQuery, ...resultFilterQuery });
const rowsBody = z.object({ rows: z.array(z.unknown()) });
const adsBody = z.object({ ads: z.array(z.unknown()) });
const emailsBody = z.object({ emails: z.array(z.unknown()) });
const anyBody = z.looseObject({});

/** A page of the rows of a batch, with the page size of the console. */
export function askForRows(batch: string, fields: Query = {}): Asked {
  const query = { ...fields, limit: '100' };
  const { limit, after, sort, ...filter } = rowsQuery.parse(query);
  return {
    path: `/v1/batches/${batch}/rows?${textOf(query)}`,
    read: async ({ readSummary, reports }) => {
      const { batchId } = await readSummary(batch);
      const place = {
        afterRow: Number(after ?? 0),
        limit: limit + 1,
        sort: sort === undefined ? null : parseRowSort(sort),
        filter: toResultFilter(filter),
      };
      return Math.min((await reports.readPage(batchId, place)).lines.length, limit);
    },
    countOf: (body) => rowsBody.parse(body).rows.length,
  };
}

/** A page of the ads of a batch. */
export function askForAds(batch: string, fields: Query = {}): Asked {
  const query = { ...fields, batch, limit: '100' };
  const { limit, after, ...rest } = adsQuery.parse(query);
  const filter = toAdFilter(rest);
  return {
    path: `/v1/ads?${textOf(query)}`,
    read: async ({ ads, accountId }) => {
      const page = { limit: limit + 1, after: parseAdCursor(after, filter) };
      return Math.min((await ads.list(accountId, filter, page)).length, limit);
    },
    countOf: (body) => adsBody.parse(body).ads.length,
  };
}

/** A page of the verdicts on the addresses of a batch. */
export function askForEmails(batch: string, fields: Query = {}): Asked {
  const query = { ...fields, batch, limit: '50' };
  const { limit, after, ...filter } = emailsQuery.parse(query);
  return {
    path: `/v1/emails?${textOf(query)}`,
    read: async ({ results: { emails }, accountId }) => {
      const page = { limit: limit + 1, before: parseLookupCursor(after) };
      return Math.min((await emails.list(accountId, toEmailFilter(filter), page)).length, limit);
    },
    countOf: (body) => emailsBody.parse(body).emails.length,
  };
}

/** A batch with its counts. */
export function askForBatch(batch: string): Asked {
  return askForOne(`/v1/batches/${batch}`, ({ readSummary }) => readSummary(batch));
}

/** Request for the facets. */
export function askForFacets(batch: string): Asked {
  return askForOne(`/v1/batches/${batch}/facets`, ({ results: { facets }, accountId }) =>
    facets.read(accountId, batch),
  );
}

/** Request for the charts. */
export function askForCharts(batch: string, fields: Query = {}): Asked {
  const { days } = chartsQuery.parse(fields);
  return askForOne(`/v1/batches/${batch}/charts?${textOf(fields)}`, ({ charts, accountId }) =>
    charts.readBatch(accountId, batch, days),
  );
}

function askForOne(path: string, read: (stores: ResultStores) => Promise<unknown>): Asked {
  return {
    path,
    read: async (stores) => {
      await read(stores);
      return 1;
    },
    countOf: (body) => (anyBody.safeParse(body).success ? 1 : 0),
  };
}

function textOf(query: Query): string {
  return new URLSearchParams(query).toString();
}
