import type { Database } from '../../../../db/connection/client.ts';
import { readBackupInfo } from '../../../../db/info/backup-info.ts';
import { readOwnBackupInfo } from '../../../../db/info/own-backup-info.ts';
import type { PostgresAddress } from '../../../postgres-server/find-servers.ts';
import { readSpool } from '../../../postgres-server/index.ts';
import { examine, type Finding } from '../check-result.ts';
import { evaluateBackups } from './evaluate-backups.ts';
import { evaluateOwnBackups } from './evaluate-own-backups.ts';

/** Checks the backups of the private server, or what a server of the user's own says about those of its tools. */
export function examineBackups(
  { pool }: Database,
  { kind, server }: PostgresAddress,
): Promise<readonly Finding[]> {
  return examine('backups', async () => {
    if (kind !== 'private') return evaluateOwnBackups(await readOwnBackupInfo(pool));
    const spool = server === null ? null : await readSpool(server.dataFolder);
    return [evaluateBackups({ ...(await readBackupInfo(pool)), spool })];
  });
}
