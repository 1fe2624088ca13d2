import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findPgq } from './pgq-server.ts';
import { findRedisProgram } from '../../test/support/queue/test-redis.ts';
import { enginesFolder } from './engine-process.ts';
import { peerEngines, type PeerEngine } from './engine-list.ts';

/** An engine that can run here, and the program of Node that it runs on. */
export interface ReadyEngine {
  readonly engine: PeerEngine;
  readonly node: string;
}

/** Engines that can run here, and one line about each that cannot. */
export interface Engines {
  readonly ready: readonly ReadyEngine[];
  readonly missing: readonly string[];
}

/** Installs what engines need, unless `isOffline`, and finds out which of them can run. */
export function findEngines({ isOffline }: { readonly isOffline: boolean }): Engines {
  if (!isOffline) npm(['install', '--no-save', '--no-audit', '--no-fund', '--prefix', enginesFolder]);
  const node22 = findNode22(isOffline);
  const found = peerEngines.map((engine) => ({ engine, reason: reasonAgainst(engine, node22) }));
  return {
    ready: found.flatMap(({ engine, reason }) =>
      reason === null
        ? [{ engine, node: engine.needsNode22 ? (node22 ?? process.execPath) : process.execPath }]
        : [],
    ),
    missing: found.flatMap(({ engine, reason }) =>
      reason === null ? [] : [`NOT MEASURED: ${engine.name}: ${reason}.`],
    ),
  };
}

function reasonAgainst(
  { needs, isInstalledApart, needsNode22 }: PeerEngine,
  node22: string | null,
): string | null {
  if (isInstalledApart && !existsSync(join(enginesFolder, 'node_modules')))
    return 'npm install --prefix bench/peers/engines did not run';
  if (needsNode22 && node22 === null) return 'it needs Node 22, and npx node@22 does not find it';
  if (needs === 'redis' && findRedisProgram() === undefined)
    return 'neither redis-server nor valkey-server is on the path';
  if (needs === 'pgq' && findPgq() === null) return 'postgresql-15-pgq3 of Debian is not installed';
  return null;
}

/** Program of Node 22 or later: this one, or the one of npx. */
function findNode22(isOffline: boolean): string | null {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const { status, stdout } = spawnSync(
    'npx',
    [...(isOffline ? ['--offline'] : []), '-y', 'node@22', '-p', 'process.execPath'],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  return status === 0 && existsSync(stdout.trim()) ? stdout.trim() : null;
}

function npm(args: readonly string[]): void {
  spawnSync('npm', args, { stdio: ['ignore', 'ignore', 'ignore'] });
}
