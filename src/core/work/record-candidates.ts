import type { ReportedCandidate } from '../companies/advertiser-candidates.ts';
import type { Claim } from './claim.ts';
import type { LookupResult } from './outcomes.ts';

/** Store of candidates, and receiver of its errors. */
export interface CandidateRecording {
  readonly record: (candidates: readonly ReportedCandidate[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Records the candidates of results, after their commit. */
export type RecordCandidates = (
  claim: Pick<Claim, 'accountId'>,
  results: readonly LookupResult[],
) => Promise<void>;

/**
 * Creates the recorder of advertisers that may belong to a company. It runs after the commit and reports its errors instead of throwing them:
 * an outcome must not be lost for them, and the next lookup of the company reports the same candidates.
 */
export function createCandidateRecorder({ record, onError }: CandidateRecording): RecordCandidates {
  return async ({ accountId }, results) => {
    const candidates = results.flatMap(({ lookupId, companyKey, candidates: found = [] }) =>
      companyKey === undefined ? [] : found.map((each) => ({ ...each, accountId, companyKey, lookupId })),
    );
    if (candidates.length === 0) return;
    try {
      await record(candidates);
    } catch (error) {
      onError(error);
    }
  };
}
