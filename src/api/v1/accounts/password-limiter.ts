import pLimit from 'p-limit';
import { apiRetryAfter } from '../../../core/work/retry-policies.ts';
import { Problem } from '../../http/problem.ts';

/** Passwords that one process hashes at a time. Each takes 128 MiB and about 0.3 s of CPU time. */
const atOnce = 2;
/** Maximum number of waiting requests. They are served within a few seconds; more would only increase the waiting time of all. */
const waitingMax = 8;

/**
 * Limits how many passwords are hashed or verified at a time. A request is rejected immediately when too many wait.
 *
 * @throws Problem `service_unavailable` when too many requests wait
 */
export function createPasswordLimiter(): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = pLimit(atOnce);
  return async (work) => {
    if (limit.pendingCount >= waitingMax)
      throw new Problem('service_unavailable', {
        titles: ['Too many users are signing in at the moment. Try again'],
        headers: { 'Retry-After': String(apiRetryAfter.seconds) },
      });
    return limit(work);
  };
}
