import { purgeKinds, type Retention } from './purge-kinds.ts';
import { purge, type PurgeOrder } from './purge.ts';
import type { PurgeStore } from './purge-store.ts';

/** Rounds per kind and run: housekeeping runs every minute, and the dispatcher waits for it. */
const roundsMax = 5;

/** Purge orders of the settings, for kinds with a retention. */
export function ordersOf(retention: Retention): readonly PurgeOrder[] {
  return purgeKinds.flatMap((kind) => {
    const ageMs = retention[kind];
    return ageMs === null ? [] : [{ kind, ageMs }];
  });
}

/** Takes away a bounded part of what has become too old by the settings. */
export async function keepRetention(store: PurgeStore, retention: Retention): Promise<void> {
  await purge(store, { orders: ordersOf(retention), roundsMax, sweeps: 'when_needed' });
}
