import { createRecheckStore } from '../../db/stores/emails/rechecks.ts';
import { createPurgedSpace, createPurgeStore } from '../../db/stores/purge/purge.ts';
import { createServiceStatsStore } from '../../db/stores/work/service-stats.ts';
import { createVerifyStore } from '../../db/verify/verify-store.ts';
import type { ChunkWork } from '../core/work/work-chunk.ts';
import type { PurgedSpace, PurgeStore } from '../core/purge/purge-store.ts';
import type { RecheckWork } from '../core/validation/recheck.ts';
import type { VerifyStore } from '../core/reports/invariants.ts';
import type { ServiceStatsStore } from '../core/work/service-stats.ts';
import type { Dispatcher } from '../dispatcher/dispatch.ts';
import { openDispatcher, type WorkParts } from './open-dispatcher.ts';
import { readReadiness, type Readiness } from './readiness.ts';
import type { OpenQueue, Servers } from './servers.ts';
import { limitStoreOf, type LimitStore } from './limit-store.ts';
import type { Wiring } from './wiring.ts';

/** Services of the queue, the dispatcher and the workers, and of operation: readiness, metrics, verify and purge. */
export interface WorkServices {
  /** Queue, opened on first use: most commands need none. */
  readonly queue: () => Promise<OpenQueue>;
  /** All queues for the operator's board, opened on first use. */
  readonly boardQueues: Servers['boardQueues'];
  readonly chunkWork: ChunkWork;
  /** Parts of mailbox rechecks; null when probing is off. */
  readonly recheckWork: RecheckWork | null;
  readonly startDispatcher: () => Promise<Dispatcher>;
  readonly stats: ServiceStatsStore;
  readonly readReadiness: () => Promise<Readiness>;
  readonly limits: LimitStore;
  readonly purges: PurgeStore;
  readonly purgedSpace: PurgedSpace;
  readonly verify: VerifyStore;
  /** True when Postgres is the private server of this machine. */
  readonly isPrivateServer: boolean;
}

/** Wires the queue and the dispatcher to the other namespaces. */
export function wireWork(wiring: Wiring, parts: WorkParts): WorkServices {
  const { config, servers } = wiring;
  const { database, sessions, queue, boardQueues, postgres } = servers;
  const db = database.sql;
  const { chunkWork, validator } = parts.lookups;
  const rechecks = createRecheckStore(db);
  return {
    queue,
    boardQueues,
    chunkWork,
    recheckWork: config.email.probe === null ? null : { rechecks, validator },
    startDispatcher: () => openDispatcher(wiring, parts, rechecks),
    stats: createServiceStatsStore(db),
    readReadiness: () => readReadiness(servers),
    limits: limitStoreOf(servers),
    purges: createPurgeStore(db),
    purgedSpace: createPurgedSpace(sessions),
    verify: createVerifyStore(db),
    isPrivateServer: postgres.kind === 'private',
  };
}
