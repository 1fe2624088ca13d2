import { withDatabase } from '../../db/connection/client.ts';
import { recordCandidates } from '../../db/stores/ads/advertiser-candidates.ts';
import { createOutcomeStore } from '../../db/stores/work/outcomes.ts';
import { createRequestStore } from '../../db/stores/work/requests.ts';
import type { OutcomeStore } from '../core/work/outcomes.ts';
import { createCandidateRecorder } from '../core/work/record-candidates.ts';
import type { Wiring } from './wiring.ts';

/** Stores of results, of chunks and of requests, that also record the candidates of each lookup after its commit. */
export function createResultStores({ log, servers }: Pick<Wiring, 'log' | 'servers'>): {
  readonly outcomes: OutcomeStore;
  readonly requests: ReturnType<typeof createRequestStore>;
} {
  const db = servers.database.sql;
  const outcomes = createOutcomeStore(db);
  const requests = createRequestStore(servers.requestDatabase.sql);
  const record = createCandidateRecorder({
    record: (candidates) => withDatabase(() => recordCandidates(db, candidates)),
    onError: (error) => log.warn({ err: error }, 'candidates of a lookup not stored'),
  });
  return {
    outcomes: {
      commit: async (claim, results) => {
        await outcomes.commit(claim, results);
        await record(claim, results);
      },
    },
    requests: {
      ...requests,
      answer: async (claim, result, kept) => {
        const answer = await requests.answer(claim, result, kept);
        await record(claim, [result]);
        return answer;
      },
    },
  };
}
