import { api, read, type Body } from './client.ts';
import { can } from './session.ts';
import { useLoad } from './use-load.ts';

/** State of the account in the bar: its balance, and the batches under way. */
export interface AccountStatus {
  /** Available credits; null for users who cannot see them. */
  readonly credits: number | null;
  /** Batches among the newest that have not ended. */
  readonly active: readonly Body<'Batch'>[];
}

const newestCount = 50;
const unknown: AccountStatus = { credits: null, active: [] };

/** State of the account, up to date. An unavailable server leaves the last state in place; the pages report it. */
export function useAccountStatus(): AccountStatus {
  const { data = unknown } = useLoad('status', readStatus, ['batches', 'balance']);
  return data;
}

async function readStatus(signal: AbortSignal): Promise<AccountStatus> {
  const [balance, { batches }] = await Promise.all([
    can('credits:read') ? read(api.GET('/v1/credits', { signal })) : null,
    read(api.GET('/v1/batches', { params: { query: { limit: newestCount } }, signal })),
  ]);
  return {
    credits: balance?.credits ?? null,
    active: batches.filter(({ state }) => state !== 'finished' && state !== 'cancelled'),
  };
}
