import { expect, test } from 'vitest';
import { evaluateTopology } from '../../../../src/doctor/checks/redis/evaluate-topology.ts';
import type { RedisInfo, RedisTopology } from '../../../../src/queue/redis-info.ts';

const server: RedisInfo = {
  node: '10.0.0.1:6379',
  version: '7.2.4',
  isReplica: false,
  replicas: 1,
  isCluster: false,
  policy: 'noeviction',
  hasAppendOnlyFile: true,
  appendOnlyFileFails: false,
  usedBytes: 1e6,
  bytesMax: 0,
  clock: { askedAtMs: 0, theirsMs: 0, answeredAtMs: 0 },
};
const node = { ...server, isCluster: true };
const watched = { kind: 'sentinel', master: 'main', usable: 3, hasQuorum: true, silent: [] } as const;
const one = { kind: 'server' } as const;
const cluster = { kind: 'cluster' } as const;

test.each<[RedisTopology, readonly RedisInfo[], string, string, string | null]>([
  [one, [{ ...server, replicas: 0 }], 'ok', 'one server. While it is away, batches wait', null],
  [one, [server], 'ok', '1 replica, none of which takes over by itself', null],
  [one, [node], 'problem', 'a node of a cluster', 'separated by commas'],
  [watched, [server], 'ok', 'master main, 3 sentinels, 1 replica. A failover can lose the last jobs', null],
  [{ ...watched, usable: 2 }, [server], 'warning', '2 sentinels', 'Run three sentinels'],
  [{ ...watched, usable: 1, hasQuorum: false }, [server], 'warning', 'too few to decide', 'CKQUORUM main'],
  [{ ...watched, silent: ['a:1'] }, [server], 'warning', 'no answer from a:1', 'are running'],
  [watched, [{ ...server, replicas: 0 }], 'warning', 'no server can take over', 'Start a replica'],
  [cluster, [node, node, node], 'ok', 'cluster of 3 masters, 3 replicas. A failover can lose', null],
  [cluster, [node, node], 'warning', 'the masters are too few', 'Run three masters'],
  [
    cluster,
    [node, node, { ...node, replicas: 0 }],
    'warning',
    'take over from 10.0.0.1:6379',
    '--cluster-slave',
  ],
])('the topology %o is judged', (topology, servers, status, found, remedy) => {
  const finding = evaluateTopology({ topology, servers });
  expect(finding).toMatchObject({ name: 'Redis topology', status });
  expect(finding.found).toContain(found);
  if (remedy === null) expect(finding.remedy).toBeNull();
  else expect(finding.remedy).toContain(remedy);
});
