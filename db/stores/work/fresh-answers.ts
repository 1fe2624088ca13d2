import { sql } from 'drizzle-orm';
import type { LocalAdSource } from '../../../src/core/sources/ad-source.ts';
import { anySearch, type RepeatedAnswer } from '../../../src/core/ads/ads-answer.ts';
import type { CompanyQuery } from '../../../src/core/companies/company.ts';
import type { AdsClaim } from '../../../src/core/work/claim.ts';
import { withDatabase, type Sql } from '../../connection/client.ts';
import { texts } from '../sql/arrays.ts';

/** Account and search: an answer of a source that this search does not use does not count. */
type Asker = Pick<AdsClaim, 'accountId' | 'sources' | 'search'>;

/** Name of the source below. */
export const storeName = 'store';

/**
 * A source with the recent answers of an account, which is called before all others.
 *
 * An answer counts if its search had the same options (region, surface, maximum, own ads only), no page of it failed, one of this search's
 * sources found the ads or all of them reported none, and the operator has not changed the mapping of the company since. If
 * only own ads are wanted, the company must have had the same name. Otherwise it returns nothing.
 */
export function createFreshAnswers(db: Sql, asker: Asker): LocalAdSource {
  return {
    kind: 'local',
    ownMapping: (mapping) => mapping,
    name: storeName,
    findAds: async (questions, signal) => {
      signal.throwIfAborted();
      const companies = questions.map(({ company }) => company);
      const found = await withDatabase(() => findFresh(db, asker, companies));
      return companies.map(({ key, name }) => found.get(answerKey(asker, { key, name })) ?? null);
    },
  };
}

async function findFresh(
  db: Sql,
  { accountId, sources, search }: Asker,
  companies: readonly CompanyQuery[],
): Promise<ReadonlyMap<string, RepeatedAnswer>> {
  const { ageMsMax, ...like } = search;
  const keys = [...new Set(companies.map(({ key }) => key))];
  const name = search.ownOnly ? sql`e.company_name` : sql`NULL::text`;
  const since = sql`now() - ${ageMsMax}::double precision * interval '1 millisecond'`;
  const names = texts(sources);
  const isLike = (column: 'b' | 'l') =>
    sql`jsonb_strip_nulls(coalesce(${sql.raw(column)}.search, ${JSON.stringify(anySearch)}::jsonb) - 'ageMsMax')
      = jsonb_strip_nulls(${JSON.stringify(like)}::jsonb)`;
  const result = await db.execute<{ subject_key: string; name: string | null; id: string }>(
    sql`SELECT DISTINCT ON (e.subject_key, ${name}) e.subject_key, ${name} AS name, e.id
      FROM (
        SELECT l.* FROM nightshift.batches b JOIN nightshift.lookups l ON l.batch_id = b.id AND l.operation = 'ads_search'
          AND l.subject_key = ANY (${texts(keys)})
        WHERE b.account_id = ${accountId} AND coalesce(b.finished_at, 'infinity') >= ${since} AND ${isLike('b')}
        UNION ALL
        SELECT l.* FROM nightshift.lookups l
        WHERE l.account_id = ${accountId} AND l.request_id IS NOT NULL AND l.operation = 'ads_search'
          AND l.subject_key = ANY (${texts(keys)}) AND ${isLike('l')}
      ) e
      WHERE coalesce(e.observed_at, e.ended_at) >= ${since} AND (NOT e.partial OR e.partial_reason <> 'page_failed')
        AND e.repeats IS NULL
        AND CASE e.outcome WHEN 'found' THEN e.source = ANY (${names})
          WHEN 'none' THEN ${askedSql} @> ${names} WHEN 'no_match' THEN ${askedSql} @> ${names} ELSE false END
        AND NOT EXISTS (SELECT FROM nightshift.company_mapping_changes m
          WHERE m.account_id = e.account_id AND m.company_key = e.subject_key AND m.changed_at > ${askedAtSql})
      ORDER BY e.subject_key, ${name}, coalesce(e.observed_at, e.ended_at) DESC, e.id DESC`,
  );
  return new Map(
    result.rows.map((row) => [
      answerKey({ search }, { key: row.subject_key, name: row.name }),
      { kind: 'repeated', lookupId: BigInt(row.id) },
    ]),
  );
}

/** Key of a stored answer. If only own ads are wanted, it includes the name, because the name decides which ads are the company's own. */
function answerKey(
  { search }: Pick<Asker, 'search'>,
  { key, name }: Pick<CompanyQuery, 'key' | 'name'>,
): string {
  return JSON.stringify(search.ownOnly ? [key, name] : [key]);
}

/** Time of the first call for lookup `e`: the mapping of its company was read before, and not again. */
const askedAtSql = sql`least(coalesce(e.observed_at, e.ended_at),
  (SELECT min(s.sent_at) FROM nightshift.source_calls s WHERE s.lookup_id = e.id))`;

/** The sources that answered lookup `e`: none of them failed. */
const askedSql = sql`ARRAY(SELECT a ->> 'source' FROM jsonb_array_elements(
  coalesce(e.source_results, jsonb_build_array(jsonb_build_object('source', e.source, 'reported', e.outcome)))) a
  WHERE a ->> 'reported' IN ('found', 'none', 'no_match'))`;
