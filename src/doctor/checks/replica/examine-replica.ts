import { withClient } from '../../../../db/connection/client.ts';
import { readReplicaRelation } from '../../../../db/info/replica-info.ts';
import { errorMessage, type Finding } from '../check-result.ts';
import type { PostgresExamination } from '../collect-postgres.ts';
import { openLogin } from '../open-login.ts';
import { evaluateReplica, evaluateUnreachedReplica } from './evaluate-replica.ts';

/** Checks the replica of `NIGHTSHIFT_READER_URL` against the primary. Without one, or without the primary, there is no result. */
export async function examineReplica({
  replicas,
  database,
}: Pick<PostgresExamination, 'replicas' | 'database'>): Promise<readonly Finding[]> {
  if (replicas === null || database === null) return [];
  const { appUrl: url } = replicas;
  const opened = openLogin(url, 'nightshift_app');
  try {
    const relation = await withClient(opened.pool, (client) => readReplicaRelation(database, client));
    return [evaluateReplica({ url, ...relation })];
  } catch (error) {
    return [evaluateUnreachedReplica(url, errorMessage(error))];
  } finally {
    await opened.close();
  }
}
