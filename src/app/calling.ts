import pLimit from 'p-limit';
import { createAccountLimitStore } from '../../db/stores/accounts/account-limits.ts';
import { createSourceCallLog } from '../../db/stores/sources/call-log.ts';
import { createPostgresRateLimitStore } from '../../db/stores/sources/rate-limits.ts';
import { writeThrottle } from '../../db/stores/sources/throttles.ts';
import { sleep } from '../core/async/wait.ts';
import { createRateLimiter } from '../core/sources/rate-limiter.ts';
import { batchWaitMsMax } from '../core/sources/search-handler.ts';
import { createSourceLines } from '../core/sources/pace/source-line.ts';
import { createRedisRateLimitStore } from '../queue/redis-rate-limits.ts';
import { openCallArchives } from './backups/call-archives.ts';
import { createWaitReporter } from './wait-reporter.ts';
import type { Wiring } from './wiring.ts';

/**
 * Creates the shared parts of all calls to live sources: one rate limiter per process, a line for each source, and a limit of calls in flight each for
 * batches and for requests, whose callers wait.
 */
export function createCalling(wiring: Wiring) {
  const { config, log } = wiring;
  const { database, redis } = wiring.servers;
  const db = database.sql;
  const limit = pLimit(config.concurrency);
  const limitRequests = pLimit(config.concurrency);
  const slots =
    redis === null ? createPostgresRateLimitStore(db) : createRedisRateLimitStore(redis, config.queuePrefix);
  const nowMs = () => performance.now();
  const asking = {
    rateLimiter: createRateLimiter({ slots, nowMs, sleep, openGate: pLimit }),
    calls: createSourceCallLog(db, {
      failureWaitMs: config.sourceWaitMs,
      storesResponses: config.keepRawResponsesMs !== null,
      archives: openCallArchives(wiring),
    }),
    limit: <T>(work: () => Promise<T>) => limit(work),
    sleep,
    nowMs,
    refusedWaitMs: config.sourceWaitMs,
    noneOutvotesFailed: config.noneOutvotesFailed,
    onError: (error: unknown) => log.warn({ err: error }, 'rate limit of a source not stored'),
    onWait: createWaitReporter(log, (source, throttle) => writeThrottle(db, source, throttle)),
  };
  const lines = createSourceLines({
    preparedMax: config.concurrency,
    lineMsMax: batchWaitMsMax,
    openGate: pLimit,
  });
  return {
    asking,
    ofBatches: {
      callerLimits: createAccountLimitStore(db).readOfCaller,
      lines,
      reparses: pLimit(config.concurrency),
    },
    limitRequests: <T>(work: () => Promise<T>) => limitRequests(work),
    callsUnderWay: () => limit.activeCount + limitRequests.activeCount,
  };
}
