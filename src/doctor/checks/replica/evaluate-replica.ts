import type { ReplicaRelation } from '../../../../db/info/replica-info.ts';
import { parsePostgresUrl } from '../../../core/postgres-url.ts';
import { ok, problem, warning, type Finding } from '../check-result.ts';

/** Replica as it was found. */
export interface ReplicaInfo extends ReplicaRelation {
  readonly url: string;
}

const name = 'replica';

/** Creates the result for a replica that cannot be read. */
export function evaluateUnreachedReplica(url: string, message: string): Finding {
  return warning(
    name,
    `${parsePostgresUrl(url).place} cannot be read: ${message}. The primary answers all readers`,
    'Check the servers in NIGHTSHIFT_READER_URL, and pg_hba.conf there: the login of DATABASE_URL connects, too.',
  );
}

/** Checks that readers can use the server of `NIGHTSHIFT_READER_URL`. */
export function evaluateReplica(info: ReplicaInfo): Finding {
  const place = parsePostgresUrl(info.url).place;
  if (!info.isSameSystem)
    return problem(
      name,
      `${place} is no copy of the server of DATABASE_URL, so it is not read`,
      'Let NIGHTSHIFT_READER_URL lead to a streaming standby of that server, or remove it.',
    );
  if (!info.isStandby)
    return warning(
      name,
      `${place} is the primary or was promoted, so readers do not relieve the primary`,
      'Let NIGHTSHIFT_READER_URL lead to a streaming standby, and add ?target_session_attrs=prefer-standby if it names several servers.',
    );
  if (!info.isSameTimeline)
    return warning(
      name,
      `${place} has no restart point since the last promotion, so it is not read`,
      'Right after a failover, wait for its next restart point (checkpoint_timeout). If this stays, it does not follow the new primary: rebuild it.',
    );
  const lag = `${info.lagBytes.toLocaleString('en')} bytes behind`;
  if (info.isReplayPaused)
    return warning(
      name,
      `${place} has paused the replay, ${lag}`,
      'Resume it: `SELECT pg_wal_replay_resume()`.',
    );
  if (!info.isReplayedInTime)
    return warning(
      name,
      `${place} is ${lag} for over a second, so the primary answers its readers`,
      'Look at pg_stat_replication on the primary. A long query can hold up the replay: lower max_standby_streaming_delay of the standby.',
    );
  return ok(name, `${place}, a standby of this primary, ${lag}`);
}
