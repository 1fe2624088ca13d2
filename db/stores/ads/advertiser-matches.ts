import { createHash } from 'node:crypto';
import { sql, type SQL } from 'drizzle-orm';
import type { AdvertiserMatch } from '../../../src/core/companies/match/evaluate-advertiser.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import { bigints, ints, texts } from '../sql/arrays.ts';
import { createMemo } from '../../../src/core/memo.ts';

/** Id of an evaluation in `nightshift.advertiser_matches`: a hash of its content, so that no search for it is needed. */
export function matchId(match: AdvertiserMatch): bigint {
  const known = ids.get(match);
  if (known !== undefined) return known;
  const content = `${match.relation} ${confidencePercent(match)} ${match.reasons.join(' ')}`;
  const id = idsByContent.get(content, hashOf);
  ids.set(match, id);
  return id;
}

/** An evaluation is stored for each ad of its advertiser. */
const ids = new WeakMap<AdvertiserMatch, bigint>();
/** Thousands of advertisers have the same evaluation. */
const idsByContent = createMemo<string, bigint>(10_000);

function hashOf(content: string): bigint {
  return createHash('sha256').update(content).digest().readBigInt64BE();
}

/** Confidence of an evaluation as the record keeps it: whole percent, from 1 to 99. */
export function confidencePercent({ confidence }: Pick<AdvertiserMatch, 'confidence'>): number {
  return Math.min(99, Math.max(1, Math.round(confidence * 100)));
}

/**
 * Statement for the distinct evaluations of answers, to be a part of another one; null without any. In the order of the ids, so that two commits do
 * not deadlock.
 */
export function insertMatchesSql(results: readonly Pick<LookupResult, 'answer'>[]): SQL | null {
  const distinct = new Map(results.flatMap(matchesOf).map((match) => [matchId(match), match]));
  if (distinct.size === 0) return null;
  const ordered = [...distinct].sort(([one], [other]) => (one < other ? -1 : 1));
  return sql`INSERT INTO nightshift.advertiser_matches (id, relation, confidence_percent, reasons)
    SELECT m.id, m.relation, m.confidence_percent, string_to_array(m.reasons, ' ')
    FROM unnest(${bigints(ordered.map(([id]) => id))}, ${texts(ordered.map(([, { relation }]) => relation))},
      ${ints(ordered.map(([, match]) => confidencePercent(match)))}, ${texts(ordered.map(([, { reasons }]) => reasons.join(' ')))})
      AS m(id, relation, confidence_percent, reasons)
    ON CONFLICT DO NOTHING RETURNING id`;
}

function matchesOf({ answer }: Pick<LookupResult, 'answer'>): readonly AdvertiserMatch[] {
  if (answer.kind === 'found') return [...(answer.matches?.values() ?? [])];
  return answer.kind === 'stored' ? answer.advertisers.flatMap(({ match }) => match ?? []) : [];
}
