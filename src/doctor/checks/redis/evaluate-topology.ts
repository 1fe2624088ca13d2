import type { RedisInfo, RedisSurvey, RedisTopology } from '../../../queue/redis-info.ts';
import { ok, problem, warning, type Finding } from '../check-result.ts';

const name = 'Redis topology';
/** Sentinels, or masters of a cluster: of fewer, no majority is left when one is lost. */
const votersMin = 3;
/** Replication is asynchronous: a new master can lack the last writes of the old one. */
const losable = 'A failover can lose the last jobs, which the dispatcher restores from Postgres';

/** Checks that another server can take over from each that takes writes. */
export function evaluateTopology({ topology, servers }: RedisSurvey): Finding {
  switch (topology.kind) {
    case 'server':
      return evaluateServer(servers);
    case 'sentinel':
      return evaluateSentinels(topology, countReplicas(servers));
    case 'cluster':
      return evaluateCluster(servers);
  }
}

function evaluateServer(servers: readonly RedisInfo[]): Finding {
  if (servers.some(({ isCluster }) => isCluster)) {
    return problem(
      name,
      'the server of REDIS_URL is a node of a cluster, and other nodes reject its commands',
      'Name several nodes in REDIS_URL, separated by commas; of a cluster with one address, that address twice.',
    );
  }
  const replicas = countReplicas(servers);
  if (replicas === 0) return ok(name, 'one server. While it is away, batches wait');
  return ok(name, `one server with ${counted(replicas, 'replica')}, none of which takes over by itself`);
}

function evaluateSentinels(
  { master, usable, hasQuorum, silent }: Extract<RedisTopology, { kind: 'sentinel' }>,
  replicas: number,
): Finding {
  const found = `master ${master}, ${counted(usable, 'sentinel')}, ${counted(replicas, 'replica')}`;
  if (!hasQuorum) {
    const remedy = `Start the others, and check what they see: \`redis-cli -p 26379 SENTINEL CKQUORUM ${master}\`.`;
    return warning(name, `${found}: the sentinels are too few to decide a failover`, remedy);
  }
  if (silent.length > 0) {
    return warning(
      name,
      `${found}, but no answer from ${silent.join(', ')}`,
      'Check that all sentinels of REDIS_URL are running and accept connections from this machine.',
    );
  }
  if (usable < votersMin) {
    const remedy = 'Run three sentinels, each on another machine.';
    return warning(name, `${found}: when one sentinel is lost, the others are no majority`, remedy);
  }
  if (replicas === 0) {
    return warning(
      name,
      `${found}: no server can take over`,
      'Start a replica of the master (replicaof in redis.conf).',
    );
  }
  return ok(name, `${found}. ${losable}`);
}

function evaluateCluster(servers: readonly RedisInfo[]): Finding {
  const found = `cluster of ${counted(servers.length, 'master')}, ${counted(countReplicas(servers), 'replica')}`;
  if (servers.length < votersMin) {
    const remedy = 'Run three masters, each on another machine.';
    return warning(name, `${found}: the masters are too few to decide a failover`, remedy);
  }
  const alone = servers.filter(({ replicas }) => replicas === 0).map(({ node }) => node);
  if (alone.length > 0) {
    return warning(
      name,
      `${found}, but no server can take over from ${alone.join(', ')}`,
      'Add a replica: `redis-cli --cluster add-node NEW:PORT ANY:PORT --cluster-slave`.',
    );
  }
  return ok(name, `${found}. ${losable}`);
}

function countReplicas(servers: readonly RedisInfo[]): number {
  return servers.reduce((sum, { replicas }) => sum + replicas, 0);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
