import { createRequestCounter } from '../../db/stores/accounts/request-counter.ts';
import type { Database } from '../../db/connection/client.ts';
import type { RequestCounter } from '../core/accounts/request-counter.ts';
import type { Servers } from './servers.ts';

/** Store of the counters of the API's rate limits. */
export type LimitStore =
  | { readonly kind: 'redis'; readonly client: NonNullable<Servers['redis']> }
  | {
      readonly kind: 'postgres';
      readonly pool: Database['pool'];
      readonly countRequests: RequestCounter;
    };

/** Returns the store that the configuration selects. */
export function limitStoreOf({ redis, sessions, requestDatabase }: Servers): LimitStore {
  return redis === null
    ? {
        kind: 'postgres',
        // Its statements stay prepared in the session.
        pool: sessions.pool,
        countRequests: createRequestCounter(requestDatabase.sql),
      }
    : { kind: 'redis', client: redis };
}
