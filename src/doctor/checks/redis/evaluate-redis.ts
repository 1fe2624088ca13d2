import type { RedisInfo } from '../../../queue/redis-info.ts';
import { ok, problem, warning, type Finding } from '../check-result.ts';
import { evaluateClock } from '../evaluate-clock.ts';
import { sizeText } from '../../../core/size-text.ts';

/** Oldest Redis that BullMQ recommends (its README, version 6). */
const oldestRedis = [6, 2] as const;
/**
 * Warning threshold as a share of the memory limit. With `noeviction`, a full Redis rejects jobs; they wait in Postgres until it has room.
 */
const memoryShareWarn = 0.8;
const memoryShareMax = 0.95;

/** Checks the queue on Redis, or on one node of a cluster. */
export function evaluateRedis(info: RedisInfo, prefix: string): readonly Finding[] {
  const { node, version, isReplica, isCluster } = info;
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < oldestRedis[0] || (major === oldestRedis[0] && minor < oldestRedis[1]);
  const server = `Redis ${version} at ${node}`;
  return [
    isOld
      ? problem('queue', `on ${server}, older than ${oldestRedis.join('.')}`, 'Upgrade Redis, or use Valkey.')
      : ok('queue', `on ${server}`),
    ...(isReplica
      ? [problem('writing to Redis', `${node} is a replica`, 'Point REDIS_URL at the primary server.')]
      : []),
    ...(isCluster && !/\{[^}]+\}/.test(prefix) ? [withoutHashTag(prefix)] : []),
    evaluatePolicy(info),
    evaluateAppendOnlyFile(info),
    evaluateMemory(info),
    evaluateClock('Redis', info.clock),
  ];
}

function withoutHashTag(prefix: string): Finding {
  const found = `the prefix "${prefix}" spreads the keys of a queue over the nodes of the cluster, which Redis rejects`;
  return problem(
    'queue prefix',
    found,
    `Put braces around it: NIGHTSHIFT_QUEUE_PREFIX={${prefix.replace(/[{}]/g, '')}}`,
  );
}

function evaluatePolicy({ policy }: RedisInfo): Finding {
  const name = 'Redis maxmemory-policy';
  if (policy === 'noeviction') return ok(name, policy);
  const remedy = 'Run `redis-cli CONFIG SET maxmemory-policy noeviction`, and set the same in redis.conf.';
  return problem(name, `${policy || 'unknown'}: a full Redis evicts jobs silently`, remedy);
}

function evaluateAppendOnlyFile({ hasAppendOnlyFile, appendOnlyFileFails }: RedisInfo): Finding {
  const name = 'Redis append-only file';
  if (!hasAppendOnlyFile) {
    const remedy = 'Run `redis-cli CONFIG SET appendonly yes`, and set the same in redis.conf.';
    return problem(name, 'off: a restart empties the queue, which is then refilled from Postgres', remedy);
  }
  if (!appendOnlyFileFails) return ok(name, 'on');
  return problem(
    name,
    'on, but the last write to it failed',
    'Check the disk of the Redis server: it is most likely full.',
  );
}

function evaluateMemory({ usedBytes, bytesMax }: RedisInfo): Finding {
  const name = 'Redis memory';
  if (bytesMax === 0) return ok(name, `${sizeText(usedBytes)} used, no limit set`);
  const found = `${sizeText(usedBytes)} of ${sizeText(bytesMax)} used`;
  const share = usedBytes / bytesMax;
  if (share <= memoryShareWarn) return ok(name, found);
  const remedy =
    'Raise the limit (`redis-cli CONFIG SET maxmemory …`, and the same in redis.conf): a full Redis rejects jobs.';
  return (share > memoryShareMax ? problem : warning)(name, found, remedy);
}
