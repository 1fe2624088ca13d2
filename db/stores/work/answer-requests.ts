import { chargeFor } from '../../../src/core/credits/price-book.ts';
import { LeaseLost } from '../../../src/core/errors.ts';
import type { StoredResponse } from '../../../src/core/accounts/stored-response.ts';
import type { StoredAnswer } from '../../../src/core/sources/search-ads.ts';
import type { AdsClaim, Claim, EmailClaim } from '../../../src/core/work/claim.ts';
import type { LookupResult } from '../../../src/core/work/outcomes.ts';
import { recheckAt } from '../../../src/core/validation/recheck.ts';
import type { ValidatedEmail } from '../../../src/core/validation/validate-request.ts';
import type { Sql } from '../../connection/client.ts';
import { keepAnswers } from '../accounts/stored-responses.ts';
import { readAdsOf } from '../ads/read-ads.ts';
import { addRechecks } from '../emails/rechecks.ts';
import { commitResults } from './outcomes.ts';
import type { StoredOutcome } from './write-outcomes.ts';

/** A request with its result, to commit. */
export interface AnsweredRequest<Answered extends Claim, Answer> {
  readonly claim: Answered;
  readonly result: LookupResult;
  readonly kept: StoredResponse<Answer> | null;
}

/** A request whose outcome is written. */
interface EndedRequest<Answered extends Claim, Answer> extends AnsweredRequest<Answered, Answer> {
  readonly stored: StoredOutcome;
}

/**
 * Commits the results of requests in the caller's transaction, all or nothing, and stores the responses for repeats.
 *
 * @throws LeaseLost when another process has taken over one of the claims or of the idempotency keys.
 */
export async function answerRequests<Answered extends Claim, Answer>(
  db: Sql,
  requests: readonly AnsweredRequest<Answered, Answer>[],
  toAnswers: (db: Sql, ended: readonly EndedRequest<Answered, Answer>[]) => Promise<readonly Answer[]>,
): Promise<readonly Answer[]> {
  let answers: readonly Answer[] = [];
  const commits = requests.map(({ claim, result }) => ({ claim, results: [result] }));
  await commitResults(db, commits, async (outcomes) => {
    const byLookup = new Map(outcomes.map((stored) => [stored.lookupId, stored]));
    const ended = requests.flatMap((request) => {
      const stored = byLookup.get(request.result.lookupId);
      return stored === undefined ? [] : [{ ...request, stored }];
    });
    answers = await toAnswers(db, ended);
    await keepAnswers(
      db,
      answers.map((answer, i) => ({ kept: ended[i]?.kept, answer })),
    );
  });
  if (answers.length < requests.length) {
    const ids = requests.map(({ result }) => result.lookupId).join(', ');
    throw new LeaseLost(`The lookup has ended otherwise by now: ${ids}.`);
  }
  return answers;
}

/** The answers as just stored, with the ads of the store. */
export async function readAnswers(
  db: Sql,
  ended: readonly EndedRequest<AdsClaim, StoredAnswer>[],
): Promise<readonly StoredAnswer[]> {
  const ads = await readAdsOf(
    db,
    ended.map(({ result }) => result.lookupId),
  );
  return ended.map(({ claim: { lookups, priceMicro }, stored }) => {
    const { lookupId, outcome, reason, source, matchedBy, observedAt, extent } = stored;
    const lookup = lookups.find((each) => each.lookupId === lookupId);
    if (lookup === undefined || outcome === 'completed')
      throw new Error(`Lookup ${lookupId} is not of this claim.`);
    return {
      lookupId,
      company: lookup.company,
      outcome,
      reason,
      source,
      matchedBy,
      ads: ads.get(lookupId) ?? [],
      partial: extent.partial,
      partialReason: extent.partial ? (extent.partialReason ?? 'page_failed') : null,
      uncertainAdvertisers: extent.uncertainAdvertisers ?? null,
      truncated: extent.truncated,
      estimate: extent.estimate,
      chargedMicro: chargeFor(stored, priceMicro),
      observedAt,
    };
  });
}

/** The verdicts with their charges; mailboxes that deferred are checked again later. */
export async function toValidatedEmails(
  db: Sql,
  ended: readonly EndedRequest<EmailClaim, ValidatedEmail>[],
): Promise<readonly ValidatedEmail[]> {
  const answers = ended.flatMap(({ claim, result: { lookupId, answer }, stored }) =>
    answer.kind === 'completed'
      ? [{ lookupId, verdict: answer.verdict, chargedMicro: chargeFor(stored, claim.priceMicro) }]
      : [],
  );
  const due = answers.flatMap(({ lookupId, verdict }) => {
    const dueAt = recheckAt(verdict);
    return dueAt === null ? [] : [{ lookupId, dueAt }];
  });
  await addRechecks(db, due);
  return answers.map(({ verdict, chargedMicro }) => ({ verdict, chargedMicro }));
}
