import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { RequestStore } from '../../../src/core/sources/search-ads.ts';
import type { EmailRequestStore } from '../../../src/core/validation/validate-request.ts';
import type { Claim } from '../../../src/core/work/claim.ts';
import type { Sql } from '../../connection/client.ts';
import { shareCalls } from '../../connection/share-calls.ts';
import { shortTransaction } from '../../connection/short-transaction.ts';
import { answerRequests, readAnswers, toValidatedEmails, type AnsweredRequest } from './answer-requests.ts';
import {
  newSearch,
  newValidation,
  openRequests,
  requireClaim,
  toAdsClaim,
  toEmailClaim,
} from './open-requests.ts';

/**
 * Single searches and validations: a lookup and a chunk of one each, claimed by the caller and never queued.
 *
 * Requests of this process share transactions (docs/architecture/decisions/0022-shared-commits.md): those that arrive while one is open or
 * committed wait for the next. A request that is alone never waits.
 */
export function createRequestStore(db: NodePgDatabase): RequestStore & EmailRequestStore {
  const open = shareCalls((requests: Parameters<typeof openRequests>[1]) => openRequests(db, requests));
  const answering = <Answered extends Claim, Answer>(
    toAnswers: Parameters<typeof answerRequests<Answered, Answer>>[2],
  ) =>
    // While one transaction is flushed to disk, the next one does all but to lock the accounts.
    shareCalls((requests: readonly AnsweredRequest<Answered, Answer>[], letNext) =>
      shortTransaction(db, (transaction: Sql) => answerRequests(transaction, requests, toAnswers), letNext),
    );
  const answerSearch = answering(readAnswers);
  const answerValidation = answering(toValidatedEmails);
  return {
    open: async (request, leaseMs) =>
      toAdsClaim(request, requireClaim(await open(newSearch(request, leaseMs)))),
    answer: (claim, result, kept) => answerSearch({ claim, result, kept }),
    openValidation: async (request, leaseMs) =>
      toEmailClaim(request, requireClaim(await open(newValidation(request, leaseMs)))),
    answerValidation: (claim, verdict, kept) => {
      const [lookup] = claim.lookups;
      if (lookup === undefined) throw new Error(`The claim of chunk ${claim.chunkId} has no lookup.`);
      const { lookupId } = lookup;
      const result = { lookupId, source: null, answer: { kind: 'completed' as const, verdict } };
      return answerValidation({ claim, result, kept });
    },
  };
}
