import { sql, type SQL } from 'drizzle-orm';
import type { Ad } from '../../../src/core/ads/ad.ts';
import type { FoundAds, ShownIn, StoredAdvertiser } from '../../../src/core/ads/ads-answer.ts';
import type { Relation } from '../../../src/core/ads/relate.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import type { Sql } from '../../connection/client.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';
import { identityJson } from './ad-json.ts';
import { matchId } from './advertiser-matches.ts';

/** The answer of a lookup: a reference, and number of ads. */
export interface GivenAnswer {
  readonly answerId: bigint;
  /** The lookup has the first `ads` ads of the answer, which has `total`. */
  readonly ads: number;
  readonly total: number;
  /** Newest day of the answer; null if no ad has a last day. */
  readonly newestDay: string | null;
  /** Array of the `Relation` of each ad to the company, or of one for all, as text; null if all are the company's own. */
  readonly relations: string | null;
  /** Array of the evaluation of each ad's advertiser, or of one for all, as text; null without any. */
  readonly matches: string | null;
}

/** Stores the answers of lookups, each once, and returns the answer of each lookup that has any ads. */
export async function storeAnswers(
  db: Sql,
  results: readonly LookupResult[],
): Promise<ReadonlyMap<bigint, GivenAnswer>> {
  const matches = results.flatMap(toMatch);
  const whole = matches.filter(({ shownIn }) => shownIn === null);
  return new Map([
    ...(await findOfAdvertiser(db, whole.filter(hasOneAdvertiser))),
    ...(await mergeAdvertisers(
      db,
      whole.filter((match) => !hasOneAdvertiser(match)),
    )),
    ...(await mergeShown(
      db,
      matches.filter(({ shownIn }) => shownIn !== null),
    )),
    ...(await findEarlier(db, results)),
    ...(await storeReported(db, results)),
  ]);
}

/** A lookup whose company matched advertisers of a snapshot. */
interface Match {
  readonly lookupId: bigint;
  readonly advertisers: readonly StoredAdvertiser[];
  readonly adsMax: number | null;
  /** Region and surface of the ads, and the data set that knows them; null for all ads. */
  readonly shownIn: (ShownIn & { readonly source: string | null }) | null;
}

function toMatch({ lookupId, source, answer }: LookupResult): readonly Match[] {
  if (answer.kind !== 'stored') return [];
  const { advertisers, adsMax = null, shownIn } = answer;
  return [{ lookupId, advertisers, adsMax, shownIn: shownIn === undefined ? null : { ...shownIn, source } }];
}

function hasOneAdvertiser({ advertisers }: Match): boolean {
  return advertisers.length === 1;
}

interface GivenRow extends Record<string, unknown> {
  readonly lookup_id: string;
  readonly answer_id: string;
  readonly ads: number;
  readonly total: number;
  readonly newest_day: string | null;
  readonly relations: string | null;
  readonly matches: string | null;
}

type Given = ReadonlyMap<bigint, GivenAnswer>;

const nothing: Given = new Map();

function toGiven(rows: readonly GivenRow[]): Given {
  return new Map(
    rows.map(({ lookup_id, answer_id, newest_day: newestDay, ...rest }) => [
      BigInt(lookup_id),
      { answerId: BigInt(answer_id), newestDay, ...rest },
    ]),
  );
}

/** The answer with all ads of an advertiser was made when the snapshot was loaded. */
async function findOfAdvertiser(db: Sql, matches: readonly Match[]): Promise<Given> {
  if (matches.length === 0) return nothing;
  const pairs = pairsOf(matches);
  const { rows } = await db.execute<GivenRow>(
    sql`SELECT p.lookup_id, d.answer_id, least(a.ads, p.ads_max) AS ads, a.ads AS total, d.newest_day::text AS newest_day,
        nightshift.packed_relations(ARRAY[p.relation])::text AS relations, nightshift.packed_matches(ARRAY[p.match])::text AS matches
      FROM ${pairsSql(pairs)}
      JOIN nightshift.advertisers d ON d.id = p.advertiser_key
      JOIN nightshift.answers a ON a.id = d.answer_id`,
  );
  return toGiven(rows);
}

/** Ads of several advertisers become one answer, newest first. */
async function mergeAdvertisers(db: Sql, matches: readonly Match[]): Promise<Given> {
  if (matches.length === 0) return nothing;
  const pairs = pairsOf(matches);
  const { rows } = await db.execute<GivenRow>(
    sql`WITH seen AS (
        SELECT p.lookup_id, row_number() OVER (ORDER BY p.lookup_id, a.last_seen DESC NULLS LAST, a.ad_id) AS place, a.version_id,
          a.start, a.last_seen, p.relation, p.match, p.ads_max
        FROM ${pairsSql(pairs)}
        JOIN nightshift.snapshot_ads a ON a.advertiser_key = p.advertiser_key
      ), ${packSeenSql}`,
  );
  return toGiven(rows);
}

/** Ads that were shown in a region or on a surface, with their days there; newest first. */
async function mergeShown(db: Sql, matches: readonly Match[]): Promise<Given> {
  if (matches.length === 0) return nothing;
  const places = matches.map(({ lookupId, shownIn }) => ({ lookupId, ...shownIn }));
  const { rows } = await db.execute<GivenRow>(
    sql`WITH seen AS (
        SELECT p.lookup_id, row_number() OVER (ORDER BY p.lookup_id, s.last_seen DESC NULLS LAST, a.ad_id) AS place, a.version_id,
          s.start, s.last_seen, p.relation, p.match, p.ads_max
        FROM ${pairsSql(pairsOf(matches))}
        JOIN unnest(${bigints(places.map(({ lookupId }) => lookupId))}, ${texts(places.map(({ source }) => source ?? null))},
          ${texts(places.map(({ region }) => region ?? null))}, ${texts(places.map(({ surface }) => surface ?? null))})
          AS w(lookup_id, source, region, surface) ON w.lookup_id = p.lookup_id
        JOIN nightshift.snapshot_ads a ON a.advertiser_key = p.advertiser_key
        CROSS JOIN LATERAL nightshift.ad_shown(a.ad_id, w.source, w.region, w.surface) s
      ), ${packSeenSql}`,
  );
  return toGiven(rows);
}

function pairsOf(matches: readonly Match[]) {
  return matches.flatMap(({ lookupId, advertisers, adsMax }) =>
    advertisers.map(({ key, relation, match = null }) => ({
      lookupId,
      key,
      relation,
      match: match === null ? null : matchId(match),
      adsMax,
    })),
  );
}

function pairsSql(pairs: ReturnType<typeof pairsOf>): SQL {
  return sql`unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${bigints(pairs.map((pair) => pair.key))},
          ${texts(pairs.map((pair) => pair.relation))}, ${bigints(pairs.map((pair) => pair.match))},
          ${ints(pairs.map((pair) => pair.adsMax))}) AS p(lookup_id, advertiser_key, relation, match, ads_max)`;
}

/** The answer of an earlier lookup. */
async function findEarlier(db: Sql, results: readonly LookupResult[]): Promise<Given> {
  const pairs = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'repeated' ? [{ lookupId, earlier: answer.lookupId }] : [],
  );
  if (pairs.length === 0) return nothing;
  const { rows } = await db.execute<GivenRow>(
    sql`SELECT p.lookup_id, e.answer_id, e.ads, e.ads AS total, e.newest_day::text AS newest_day, e.relations::text AS relations,
        e.matches::text AS matches
      FROM unnest(${bigints(pairs.map((pair) => pair.lookupId))}, ${bigints(pairs.map((pair) => pair.earlier))})
        AS p(lookup_id, earlier)
      JOIN nightshift.lookup_answers e ON e.lookup_id = p.earlier`,
  );
  return toGiven(rows);
}

/** Ads that a live source reported: stored by identity and content, then as an answer in the source's order. */
async function storeReported(db: Sql, results: readonly LookupResult[]): Promise<Given> {
  const seen = results.flatMap(({ lookupId, answer }) =>
    answer.kind === 'found' ? answer.ads.map((ad) => ({ lookupId, ad, ...relationOf(ad, answer) })) : [],
  );
  if (seen.length === 0) return nothing;
  const { rows } = await db.execute<GivenRow>(
    sql`WITH seen AS (
        SELECT l.lookup_id, l.ord AS place, s.version_id, l.start::date AS start, l.last_seen::date AS last_seen, l.relation,
          l.match, NULL::integer AS ads_max
        FROM nightshift.store_ads(${JSON.stringify(seen.map(({ ad }, i) => adJson(ad, i + 1)))}::jsonb) s
        JOIN unnest(${bigints(seen.map((item) => item.lookupId))}, ${texts(seen.map((item) => item.ad.start))},
          ${texts(seen.map((item) => item.ad.lastSeen))}, ${texts(seen.map((item) => item.relation))}, ${bigints(seen.map((item) => item.match))})
          WITH ORDINALITY AS l(lookup_id, start, last_seen, relation, match, ord) ON l.ord = s.ord
      ), ${packSeenSql}`,
  );
  return toGiven(rows);
}

/**
 * Continues a statement whose CTE `seen` has the ads of lookups, in the order of `place`: packs them into answers, of which each lookup has
 * at most `ads_max` ads, and selects `GivenRow`.
 */
const packSeenSql: SQL = sql`whose AS (
        SELECT lookup_id, max(ads_max) AS ads_max, array_agg(relation ORDER BY place) AS relations,
          array_agg(match ORDER BY place) AS matches
        FROM seen GROUP BY lookup_id
      )
      SELECT w.lookup_id, s.answer_id, g.ads, s.ads AS total, s.newest_day::text AS newest_day,
        nightshift.packed_relations(w.relations[:g.ads])::text AS relations, nightshift.packed_matches(w.matches[:g.ads])::text AS matches
      FROM (
        SELECT array_agg(lookup_id ORDER BY place) AS keys, array_agg(version_id ORDER BY place) AS versions,
          array_agg(start ORDER BY place) AS starts, array_agg(last_seen ORDER BY place) AS last_days FROM seen
      ) n
      CROSS JOIN LATERAL nightshift.store_answers(n.keys, n.versions, n.starts, n.last_days) s
      JOIN whose w ON w.lookup_id = s.key
      CROSS JOIN LATERAL (SELECT least(s.ads, w.ads_max) AS ads) g`;

function relationOf({ advertiserId }: Ad, { relations, matches }: FoundAds) {
  const relation: Relation = (advertiserId === null ? undefined : relations?.get(advertiserId)) ?? 'own';
  const match = advertiserId === null ? undefined : matches?.get(advertiserId);
  return { relation, match: match === undefined ? null : matchId(match) };
}

/** An ad in the form that `nightshift.store_ads` reads. */
function adJson(ad: Ad, ord: number) {
  return {
    ord,
    ...identityJson(ad),
    advertiser_name: ad.advertiserName,
    format: ad.format,
    original_url: ad.originalUrl,
    variants: ad.variants,
  };
}
