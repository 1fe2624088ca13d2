import { anySearch } from '../../core/ads/ads-answer.ts';
import { parseCompany, type CompanyQuery } from '../../core/companies/company.ts';
import { SourceUnreadable, ValidationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { ShapeDifference } from '../../core/sources/reply-shape.ts';
import type { LiveSourceDefinition } from '../../sources/definition/source-definition.ts';
import { differenceFromRecorded } from '../../sources/replies/compare-recorded.ts';
import type { App } from '../app.ts';

/** Result of a smoke test. */
export interface SmokeResult extends ShapeDifference {
  readonly source: string;
  /** Outcome of the search, or the code of its error. */
  readonly outcome: string;
  /** Reason why the response could not be parsed; null when it could. */
  readonly reason: string | null;
  /** False for a company without ads: then there is nothing to compare, and nothing is stored. */
  readonly isCompared: boolean;
  /** Number of responses; 0 if no call was made. */
  readonly replies: number;
}

/** Account that pays for a smoke test, and the company that it searches. */
export interface SmokeOptions {
  readonly accountId: number;
  readonly company: CompanyQuery;
}

/**
 * Sends one live request to a source, compares the keys of the response with the recorded ones, and stores the result. The request is rate
 * limited, logged, charged, and on the bill of the source, like every other.
 *
 * @throws ValidationError where responses are not stored; what the search throws, except for a response that cannot be parsed.
 */
export async function smokeSource(
  { config, lookups, sources }: Pick<App, 'config' | 'lookups' | 'sources'>,
  { id: source, recordedShapes = [] }: LiveSourceDefinition,
  { accountId, company }: SmokeOptions,
): Promise<SmokeResult> {
  if (config.keepRawResponsesMs === null)
    throw new ValidationError(
      'Responses can be compared only if they are stored. Set NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS.',
    );
  const requestId = newId('req', Date.now());
  const searched = await lookups
    .searchAds({
      accountId,
      company,
      sources: [source],
      search: { ...anySearch, adsMax: 1 },
      via: [],
      requestId,
    })
    .then((answer) => ({ outcome: answer.outcome, reason: null }), unreadable);
  const replies = await sources.checks.readReplies(requestId);
  const [first] = replies;
  const difference = (first === undefined ? null : differenceFromRecorded(recordedShapes, first)) ?? {
    missing: [],
    added: [],
  };
  const isCompared = searched.outcome === 'found' || searched.reason !== null;
  if (isCompared) await sources.checks.keep({ source, outcome: searched.outcome, ...difference });
  return { source, ...searched, ...difference, isCompared, replies: replies.length };
}

/** Returns the outcome of a response that cannot be parsed. Rethrows any other error. */
function unreadable(error: unknown): { readonly outcome: string; readonly reason: string } {
  if (error instanceof SourceUnreadable) return { outcome: error.code, reason: error.message };
  throw error;
}

/**
 * Parses the company of a smoke test. It needs a domain, because the recorded responses are those of searches by domain.
 *
 * @param where option or field of the domain, for the error.
 * @throws ValidationError
 */
export function parseSmokeCompany(
  { domain, name }: { readonly domain: string; readonly name?: string | undefined },
  where: string,
): CompanyQuery {
  const parsed = parseCompany(name === undefined ? { domain } : { domain, name });
  if (parsed.kind === 'rejected') throw new ValidationError(`${where}: ${parsed.reason}.`);
  if (parsed.company.domain === null) throw new ValidationError(`${where}: ${parsed.warning}.`);
  return parsed.company;
}
