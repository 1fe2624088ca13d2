import type { Actor } from '../../core/accounts/key-store.ts';
import type { ApiContext } from './api-env.ts';

/** Author of the request, for the audit log. */
export function actorOf(c: ApiContext): Actor {
  return { actor: c.var.caller.id, address: c.var.address };
}
