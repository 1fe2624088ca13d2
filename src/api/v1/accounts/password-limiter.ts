import pLimit from 'p-limit';
import { apiRetryAfter } from '../../../core/work/retry-policies.ts';
import { Problem } from '../../http/problem.ts';

/** Passwords that one process tries at a time: each takes 128 MiB and some 0.3 s of a processor. */
const atOnce = 2;
/** Maximum number of waiting requests. They are served within a few seconds; more would only make everybody wait longer. */
const waitingMax = 8;

/**
 * Turns to try or to hash a password. Who comes when too many wait is told so at once.
 *
 * @throws Problem `service_unavailable` in place of a turn.
 */
export function createPasswordLimiter(): <T>(work: () => Promise<T>) => Promise<T> {
  const limit = pLimit(atOnce);
  return async (work) => {
    if (limit.pendingCount >= waitingMax)
      throw new Problem('service_unavailable', {
        titles: ['Too many people sign in at this moment'],
        headers: { 'Retry-After': String(apiRetryAfter.seconds) },
      });
    return limit(work);
  };
}
