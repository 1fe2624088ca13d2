import type { Database } from '../../../../db/connection/client.ts';
import { readBackupInfo } from '../../../../db/info/backup-info.ts';
import { readOwnBackupInfo } from '../../../../db/info/own-backup-info.ts';
import type { PostgresAddress } from '../../../postgres-server/find-servers.ts';
import { examine, type Finding } from '../check-result.ts';
import { evaluateBackups } from './evaluate-backups.ts';
import { evaluateOwnBackups } from './evaluate-own-backups.ts';

/** Checks the backups of the private server, or what a server of the user's own says about those of its tools. */
export function examineBackups(
  { pool }: Database,
  { kind }: Pick<PostgresAddress, 'kind'>,
): Promise<readonly Finding[]> {
  return examine('backups', async () =>
    kind === 'private'
      ? [evaluateBackups(await readBackupInfo(pool))]
      : evaluateOwnBackups(await readOwnBackupInfo(pool)),
  );
}
