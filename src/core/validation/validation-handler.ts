import { commitAsTheyCome, committing } from '../work/commit-results.ts';
import type { ChunkHandler } from '../work/work-chunk.ts';
import type { EmailClaim } from '../work/claim.ts';
import type { OutcomeStore } from '../work/outcomes.ts';
import { validateClaim, type ClaimValidation } from './validate-claim.ts';

/** The parts of the handler. */
export interface ValidationHandlerOptions extends Pick<ClaimValidation, 'validator' | 'now'> {
  readonly outcomes: OutcomeStore;
}

/** Creates the handler of chunks of addresses. Every verdict is committed as soon as it is known. */
export function createValidationHandler({
  outcomes,
  validator,
  now,
}: ValidationHandlerOptions): ChunkHandler<EmailClaim> {
  return (claim, { lease: { turnSignal: signal } }) => {
    const commits = commitAsTheyCome(outcomes, claim);
    return committing(commits, () => validateClaim(claim, { validator, now, signal, onResult: commits.add }));
  };
}
