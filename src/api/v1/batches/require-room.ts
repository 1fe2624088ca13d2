import type { ApiContext } from '../../http/api-env.ts';
import { Problem } from '../../http/problem.ts';
import type { Router } from '../../http/router.ts';
import { apiRetryAfter } from '../../../core/work/retry-policies.ts';

/** Rejects a new batch while too many lookups wait, of the service or of the account. @throws Problem; LimitReached */
export async function requireRoom(services: Router['services'], c: ApiContext): Promise<void> {
  const open = await services.work.stats.countOpenLookups();
  if (open >= services.config.api.backlogMax) {
    throw new Problem('service_unavailable', {
      titles: ['Too many lookups are waiting. Wait until some are done'],
      headers: { 'Retry-After': String(apiRetryAfter.backlogSeconds) },
    });
  }
  await services.accounts.limits.requireRoom(c.var.caller.accountId);
}
