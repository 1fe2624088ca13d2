import pLimit from 'p-limit';
import { createOptOuts } from '../../db/stores/emails/opt-outs.ts';
import { createErasure } from '../../db/stores/purge/erase-address.ts';
import { createFreshAnswers } from '../../db/stores/work/fresh-answers.ts';
import { createWorkStore } from '../../db/stores/work/work.ts';
import { ShutdownError } from '../core/async/shutdown-error.ts';
import type { ChunkWork } from '../core/work/work-chunk.ts';
import type { Erasure } from '../core/emails/probing/erasure.ts';
import type { OptOuts } from '../core/emails/probing/opt-outs.ts';
import type { AdsClaim } from '../core/work/claim.ts';
import type { OutcomeStore } from '../core/work/outcomes.ts';
import { searchAds, type SearchRequest, type StoredAnswer } from '../core/sources/search-ads.ts';
import { createSearchHandler, type SearchHandlerOptions } from '../core/sources/search-handler.ts';
import { deferAfter } from '../core/sources/source-errors.ts';
import type { EmailValidator } from '../core/validation/validate-email.ts';
import {
  validateRequest,
  type ValidatedEmail,
  type ValidationRequest,
} from '../core/validation/validate-request.ts';
import { createValidationHandler } from '../core/validation/validation-handler.ts';
import { createLeaseKeeper } from '../core/work/lease-keeper.ts';
import { reachRedis } from '../queue/reach-redis.ts';
import { createCalling } from './calling.ts';
import { openValidatorLazily } from './lazy.ts';
import { createResultStores } from './result-stores.ts';
import { createSmokeTest, type SmokeSource } from './sources/smoke-source.ts';
import type { SourceServices } from './sources/sources.ts';
import type { Wiring } from './wiring.ts';

/** Services of the two operations, for single requests and for chunks of batches. */
export interface LookupServices {
  readonly searchAds: (request: SearchRequest) => Promise<StoredAnswer>;
  readonly validateEmail: (request: ValidationRequest) => Promise<ValidatedEmail>;
  /**
   * Sends one live request to a source, compares the keys of the response with the recorded ones, and stores the result. The request is
   * rate limited, logged, charged, and on the bill of the source, like every other.
   *
   * @throws NotFound for an unknown source; ValidationError where responses are not stored; what the search throws, except for a response
   * that cannot be parsed.
   */
  readonly smokeSource: SmokeSource;
  /** Aborts the searches and validations of requests; their lookups end as failed, free of charge. */
  readonly abort: () => void;
  /** Returns the number of calls to live sources that this process has in flight. */
  readonly callsUnderWay: () => number;
  /** The parts of a search, for chunks and single requests alike. */
  readonly search: SearchHandlerOptions;
  /** The parts that a worker of this process needs to work on a chunk. */
  readonly chunkWork: ChunkWork;
  readonly validator: Pick<EmailValidator, 'validate'>;
  readonly outcomes: OutcomeStore;
  readonly optOuts: OptOuts;
  readonly erasure: Erasure;
}

/** Wires the services of lookups. @throws Misconfigured when probing is misconfigured. */
export async function wireLookups(wiring: Wiring, sources: SourceServices): Promise<LookupServices> {
  const { config, closers, servers } = wiring;
  const { leaseMs } = config;
  const db = servers.database.sql;
  const { outcomes, requests } = createResultStores(wiring);
  const work = createWorkStore(db);
  const optOuts = createOptOuts(db);
  const validator = await openValidatorLazily({ ...wiring, optOuts });
  const { asking, ofBatches, limitRequests, callsUnderWay } = createCalling(wiring);
  const search = {
    outcomes,
    mappings: sources.companies,
    ...ofBatches,
    sourcesFor: async (claim: AdsClaim) => [
      ...(claim.search.ageMsMax === null ? [] : [createFreshAnswers(db, claim)]),
      ...(await sources.registry.named(claim.sources)),
    ],
    asking,
    random: Math.random,
    commitLimit: pLimit(wholeCommitsMax),
  };
  const openLeases = () => closers.add(createLeaseKeeper(work, leaseMs), (keeper) => keeper.close());
  const leases = openLeases();
  // Separate from the leases of workers: a request continues while they stop.
  const requestLeases = openLeases();
  const searchNow = async (request: SearchRequest) => {
    // With rate limits on Redis, a call would wait forever while Redis is unreachable.
    if (servers.redis !== null && !request.sources.every(config.catalog.isLocal))
      await reachRedis(servers.redis);
    const lane = { ...search, asking: { ...asking, limit: limitRequests } };
    return searchAds({ ...lane, requests, leases: requestLeases, leaseMs }, request);
  };
  return {
    searchAds: searchNow,
    smokeSource: createSmokeTest({ config, checks: sources.checks, searchAds: searchNow }),
    validateEmail: (request) =>
      validateRequest({ requests, validator, leases: requestLeases, leaseMs }, request),
    abort: () => requestLeases.abortAll(new ShutdownError('server is stopping')),
    callsUnderWay,
    search,
    chunkWork: {
      work,
      leases,
      leaseMs,
      handlers: {
        adsSearch: createSearchHandler(search),
        emailValidation: createValidationHandler({ outcomes, validator, now: () => new Date() }),
      },
      deferAfter: (error) => deferAfter(error, config.sourceWaitMs),
    },
    validator,
    outcomes,
    optOuts,
    erasure: createErasure(db),
  };
}

/** Maximum number of concurrent commits of whole chunks. Of 2, 3, 4 and 16 the fastest on two cores (docs/contributing/benchmarks.md). */
const wholeCommitsMax = 4;
