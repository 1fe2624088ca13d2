/**
 * The private Postgres server, used without DATABASE_URL (docs/architecture/decisions/0001-private-postgres.md and
 * docs/architecture/data-model.md).
 */
export { archiveIdentity, type ArchiveIdentity } from './archive-identity.ts';
export { ensurePrivateServer, type PrivateServerOptions } from './launcher.ts';
export { readBundledLibraries, type BundledLibrary } from './binaries/libraries.ts';
export { limitAccountMemory, memoryLimit, readMemoryLimit } from './memory-limit.ts';
export type { Role } from './passwords.ts';
export type { PrivateServer } from './private-server.ts';
export { dataParents, findHomeData, listKeptData } from './recover-state.ts';
export { stopPrivateServer, type StopOptions } from './stop.ts';
export { errorCode } from './system/system-error.ts';
export { listOwnLeftovers, temporaryName } from './system/temporary-name.ts';
export { upgradeRecord } from './system/upgrade-record.ts';
export { recoverCluster, recoveryWalName, type Recovered } from './recover-cluster.ts';
export {
  listSpooled,
  noArchiveCommand,
  openSpool,
  readSpool,
  spoolCommand,
  spoolName,
  type SpoolInfo,
} from './wal-spool.ts';
