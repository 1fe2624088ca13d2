import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import type { BackendCounts } from '../../src/core/sql/account-queries.ts';
import type { Sql } from '../connection/client.ts';
import { isDatabaseAway } from '../connection/database-away.ts';

/** A server process, and its login. */
export interface AccountBackend {
  readonly pid: number;
  readonly login: string;
  /** Start time of its server (`pg_postmaster_start_time`), which identifies it. */
  readonly server: string;
}

/** Milliseconds after which a backend that should have ended is cancelled, terminated, and counted as outliving its session. */
const overdueMs = { cancel: 1000, terminate: 3000, outlive: 5000 } as const;

const pollMs = [5, 10, 20, 50, 100, 250, 500] as const;

/** Waits for backends whose sessions were closed, ends those that remain, and counts them. */
export interface BackendEnds {
  /** Resolves when the backend is gone; never rejects. */
  awaitEnd(backend: AccountBackend): Promise<void>;
  counts(): BackendCounts;
}

/**
 * Awaits the end of server processes of accounts' queries: Postgres notices late, or never in code without interrupts, that the
 * client is gone. `nightshift.end_account_backend` ends them with the privileges of the schema's owner; if the owner lacks
 * them, the backend's own time limit ends it. So it does when a connection of `db` leads to another server, as it can with several replicas: a
 * process with the same id runs the query of another account there.
 */
export function createBackendEnds(db: Sql): BackendEnds {
  const counts = { canceled: 0, terminated: 0, outliving: 0 };

  async function awaitEnd(backend: AccountBackend): Promise<void> {
    const started = performance.now();
    let step: 'wait' | 'cancel' | 'terminate' | 'outlive' = 'wait';
    for (let round = 0; await isThere(db, backend); round += 1) {
      const passed = performance.now() - started;
      if (step === 'wait' && passed > overdueMs.cancel) {
        step = 'cancel';
        if (await end(db, backend, false)) counts.canceled += 1;
      } else if (step === 'cancel' && passed > overdueMs.terminate) {
        step = 'terminate';
        if (await end(db, backend, true)) counts.terminated += 1;
      } else if (step === 'terminate' && passed > overdueMs.outlive) {
        step = 'outlive';
        counts.outliving += 1;
      }
      await delay(pollMs[Math.min(round, pollMs.length - 1)], undefined, { ref: false });
    }
    if (step === 'outlive') counts.outliving -= 1;
  }

  return { awaitEnd: (backend) => awaitEnd(backend).catch(() => undefined), counts: () => ({ ...counts }) };
}

/** An unavailable server may come back with the process still running. Without connections of ours, no caller waits. */
async function isThere(db: Sql, { pid, login, server }: AccountBackend): Promise<boolean> {
  try {
    const { rows } = await db.execute(
      sql`SELECT FROM pg_stat_get_activity(${pid}) a JOIN pg_roles r ON r.oid = a.usesysid
        WHERE r.rolname = ${login} AND pg_postmaster_start_time() = ${server}::timestamptz`,
    );
    return rows.length > 0;
  } catch (error) {
    if (!isDatabaseAway(error)) throw error;
    return true;
  }
}

async function end(db: Sql, { pid, server }: AccountBackend, isTermination: boolean): Promise<boolean> {
  const { rows } = await db.execute<{ done: boolean }>(
    sql`SELECT nightshift.end_account_backend(${pid}, ${isTermination}) AS done
      WHERE pg_postmaster_start_time() = ${server}::timestamptz`,
  );
  return rows[0]?.done === true;
}
