import type { Config } from '../../config/config.ts';
import { anySearch } from '../../core/ads/ads-answer.ts';
import { NotFound, SourceUnreadable, ValidationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { SourceChecks } from '../../core/sources/reply-shape.ts';
import type { SearchRequest, StoredAnswer } from '../../core/sources/search-ads.ts';
import type { SmokeOptions, SmokeResult } from '../../core/sources/state/smoke-test.ts';
import { differenceFromRecorded } from '../../sources/replies/compare-recorded.ts';

/** Sends one live request to a source (`LookupServices.smokeSource`). */
export type SmokeSource = (source: string, options: SmokeOptions) => Promise<SmokeResult>;

/** Parts that a smoke test needs. */
export interface SmokeParts {
  readonly config: Config;
  readonly checks: SourceChecks;
  readonly searchAds: (request: SearchRequest) => Promise<StoredAnswer>;
}

/** Creates `LookupServices.smokeSource`. */
export function createSmokeTest({ config, checks, searchAds }: SmokeParts): SmokeSource {
  return async (source, { accountId, company }) => {
    const definition = config.catalog.findLive(source);
    if (definition === undefined)
      throw new NotFound(`There is no source ${source} that is called over the network.`);
    if (config.keepRawResponsesMs === null)
      throw new ValidationError(
        'Responses can be compared only if they are stored. Set NIGHTSHIFT_KEEP_RAW_RESPONSES_DAYS.',
      );
    const requestId = newId('req', Date.now());
    const search = { ...anySearch, adsMax: 1 };
    const searched = await searchAds({
      accountId,
      company,
      sources: [source],
      search,
      via: [],
      requestId,
    }).then((answer) => ({ outcome: answer.outcome, reason: null }), unreadable);
    const replies = await checks.readReplies(requestId);
    const [first] = replies;
    const compared =
      first === undefined ? null : differenceFromRecorded(definition.recordedShapes ?? [], first);
    const difference = compared ?? { missing: [], added: [] };
    const isCompared = searched.outcome === 'found' || searched.reason !== null;
    if (isCompared) await checks.keep({ source, outcome: searched.outcome, ...difference });
    return { source, ...searched, ...difference, isCompared, replies: replies.length };
  };
}

/** Returns the outcome of a response that cannot be parsed. Rethrows any other error. */
function unreadable(error: unknown): { readonly outcome: string; readonly reason: string } {
  if (error instanceof SourceUnreadable) return { outcome: error.code, reason: error.message };
  throw error;
}
