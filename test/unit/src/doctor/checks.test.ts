import { describe, expect, test } from 'vitest';
import { queueSchema } from '../../../../db/info/queue-info.ts';
import { examine, type Finding } from '../../../../src/doctor/checks/check-result.ts';
import { evaluateClock } from '../../../../src/doctor/checks/evaluate-clock.ts';
import { evaluateHome, evaluateNode, evaluateSpace } from '../../../../src/doctor/checks/evaluate-machine.ts';
import { beforeMigrations, evaluateMigrations } from '../../../../src/doctor/checks/evaluate-migrations.ts';
import { evaluatePostgresQueue } from '../../../../src/doctor/checks/evaluate-queue.ts';
import {
  evaluatePooler,
  evaluateReached,
  evaluateUnreached,
} from '../../../../src/doctor/checks/evaluate-reach.ts';
import {
  evaluateReplica,
  evaluateUnreachedReplica,
} from '../../../../src/doctor/checks/replica/evaluate-replica.ts';
import { evaluateBuild } from '../../../../src/doctor/checks/evaluate-build.ts';
import { evaluateRedis } from '../../../../src/doctor/checks/redis/evaluate-redis.ts';
import {
  evaluateActing,
  evaluateReaderLogin,
  evaluateRights,
  evaluateRole,
} from '../../../../src/doctor/checks/evaluate-roles.ts';
import {
  evaluateCleaning,
  evaluateConnections,
  evaluateDurability,
  evaluateLocale,
  evaluateServer,
} from '../../../../src/doctor/checks/evaluate-server.ts';
import {
  evaluateDefaultSources,
  evaluatePrices,
  evaluateReach,
  evaluateSnapshotAge,
  evaluateSource,
  evaluateTerms,
} from '../../../../src/doctor/checks/evaluate-sources.ts';
import { adyntel } from '../../../../src/sources/adyntel/definition.ts';
import { mapped } from '../../../../src/sources/mapped/definition.ts';
import { serpapi } from '../../../../src/sources/serpapi/definition.ts';
import { transparency } from '../../../../src/sources/transparency/definition.ts';
import { upstream } from '../../../../src/sources/upstream/definition.ts';

const server = {
  versionNumber: 180_004,
  version: '18.4',
  database: 'nightshift',
  login: 'operator',
  isReadOnly: false,
  fsync: true,
  fullPageWrites: true,
  synchronousCommit: 'on',
  autovacuum: true,
  transactionAge: 1e6,
  freezeAge: 200e6,
  oldestTransactionS: 0,
  connectionsMax: 100,
  connectionsReserved: 3,
  connectionsUsed: 10,
};

const locale = {
  database: 'nightshift',
  encoding: 'UTF8',
  collation: 'en_US.UTF-8',
  provider: 'libc',
  version: '2.36',
  versionInUse: '2.36',
};

const queue = {
  database: 'nightshift',
  mayCreate: true,
  owner: 'nightshift_app',
  tables: queueSchema.tables,
  version: queueSchema.version,
  clientVersion: queueSchema.clientVersion,
};

const clock = { askedAtMs: 1000, theirsMs: 1000, answeredAtMs: 1000 };
const redis = {
  node: '127.0.0.1:6379',
  version: '7.2.4',
  isReplica: false,
  replicas: 0,
  isCluster: false,
  policy: 'noeviction',
  hasAppendOnlyFile: true,
  appendOnlyFileFails: false,
  usedBytes: 1e6,
  bytesMax: 0,
  clock,
};

const app = { name: 'nightshift_app', exists: true, isUnbound: false };
const roleContext = { login: 'operator', isMigrated: true };
const home = { folder: '/srv/n', exists: true, isWritable: true };
const acting = { role: 'nightshift_app', login: 'operator', setting: 'DATABASE_URL' };
const given = {
  kind: 'given',
  ownerUrl: '',
  appUrl: 'postgres://operator:hidden@db:5432/n',
  directUrl: 'postgres://operator:hidden@db:5433/n',
  isPooled: false,
  readerUrl: '',
  replicas: null,
  readerLink: '',
  accountReaderUrl: null,
  limitMemory: null,
  server: null,
  readBuild: null,
} as const;
const build = {
  libraries: [{ name: 'libxml2', version: '2.9.4' }],
  hasLogins: false,
  memoryLimit: 2 ** 30,
  platform: 'linux',
} as const;
const refusal = (code: string) => Object.assign(new Error('refused'), { code });

const pooled = { mistake: null, transactionIdleMsMax: 30_000, isSameDatabase: true };
const pooler = { ...given, isPooled: true, hasSession: true, pooled } as const;

test.each<[string, Finding | readonly Finding[]]>([
  ['no pooler', evaluatePooler({ ...given, hasSession: true, pooled: null })],
  ['a pooler with the address of the server itself', evaluatePooler(pooler)],
  ['Node.js', evaluateNode('22.11.0')],
  ['a missing home folder', evaluateHome({ ...home, exists: false })],
  ['two gigabytes free', evaluateSpace('/srv/n', 2e9)],
  ['a reachable database', evaluateReached(given)],
  ['a server with default settings', evaluateServer(server)],
  ['a server with libraries that only Nightshift can access', evaluateBuild(build)],
  ['a server of the system', evaluateBuild({ ...build, libraries: [], hasLogins: true })],
  ['a system without limits', evaluateBuild({ ...build, memoryLimit: null, platform: 'darwin' })],
  ['the oldest Postgres', evaluateServer({ ...server, versionNumber: 150_000 })],
  ['durable settings', evaluateDurability(server)],
  [
    'a commit that waits for the local disk only',
    evaluateDurability({ ...server, synchronousCommit: 'local' }),
  ],
  ['room for one more process', evaluateConnections(server, 51)],
  ['a database with a low transaction age', evaluateCleaning(server)],
  ['a high configured freeze age', evaluateCleaning({ ...server, transactionAge: 900e6, freezeAge: 1000e6 })],
  ['a locale', evaluateLocale(locale)],
  ['a locale without versions', evaluateLocale({ ...locale, version: null, versionInUse: null })],
  ['clocks that differ by less than two seconds', evaluateClock('X', { ...clock, theirsMs: 2900 })],
  [
    'a clock difference within the round trip',
    evaluateClock('X', { ...clock, theirsMs: 5000, answeredAtMs: 7000 }),
  ],
  ['a schema of this version', evaluateMigrations({ pending: 0, foreign: null, isPrivate: false })],
  ['a role', evaluateRole(app, roleContext)],
  ['a login that can act in a role', evaluateActing(acting, null)],
  ['correct rights', evaluateRights([])],
  ['a login for readers', evaluateReaderLogin({ login: 'analyst', maySeeMore: false })],
  ['a queue on Postgres', evaluatePostgresQueue(queue)],
  [
    'a queue that is not created yet',
    evaluatePostgresQueue({ ...queue, owner: null, tables: [], version: null, clientVersion: null }),
  ],
  ['a queue of an earlier version', evaluatePostgresQueue({ ...queue, tables: ['migration'], version: 3 })],
  ['Redis with the required settings', evaluateRedis(redis, '{nightshift}')],
  [
    'Redis far below its memory limit',
    evaluateRedis({ ...redis, usedBytes: 8e8, bytesMax: 1e9 }, '{nightshift}'),
  ],
  ['a cluster with a tagged prefix', evaluateRedis({ ...redis, isCluster: true }, '{nightshift}')],
  ['sources', evaluateDefaultSources(['snapshot', 'upstream'], [upstream, serpapi])],
  ['a source', evaluateSource('snapshot', null)],
  ['a snapshot of last month', evaluateSnapshotAge('2026-10-22', new Date('2026-11-21T12:00:00Z'))],
  ['an upstream', evaluateReach(upstream, 'https://api.example.com/base', null)],
  [
    'sources with known prices',
    evaluatePrices([{ name: 'serpapi', unit: 'search' }], ['adyntel', 'serpapi']) ?? [],
  ],
  ['no source with charges', evaluatePrices([], []) ?? []],
  ['a source without terms', evaluateTerms(serpapi) ?? []],
])('%s is ok', (_what, evaluated) => {
  for (const finding of [evaluated].flat()) expect(finding).toMatchObject({ status: 'ok', remedy: null });
});

/** Cases with exactly one result that is not ok. */
const replica = {
  url: 'postgres://operator:hidden@replica:5432/n',
  isStandby: true,
  isSameSystem: true,
  isSameTimeline: true,
  lagBytes: 12_345,
  isReplayedInTime: true,
  isReplayPaused: false,
} as const;

const failures: readonly (readonly [string, 'warning' | 'problem', Finding | readonly Finding[], RegExp])[] =
  [
    ['a Node.js release without security fixes', 'warning', evaluateNode('20.20.2'), /nodejs\.org/],
    ['an unsupported Node.js release', 'problem', evaluateNode('20.18.3'), /Install/],
    [
      'a home folder without write permission',
      'problem',
      evaluateHome({ ...home, isWritable: false }),
      /NIGHTSHIFT_HOME/,
    ],
    ['less than two gigabytes', 'warning', evaluateSpace('/srv/n', 1.99e9), /Free some space/],
    ['less than 200 megabytes', 'problem', evaluateSpace('/srv/n', 199e6), /Free some space/],
    [
      'outdated libraries that accounts can access',
      'warning',
      evaluateBuild({ ...build, hasLogins: true }).slice(0, 1),
      /DATABASE_URL/,
    ],
    [
      'a server without a memory limit',
      'warning',
      evaluateBuild({ ...build, memoryLimit: null }).slice(1),
      /nightshift stop/,
    ],
    [
      'an unsupported Postgres release',
      'problem',
      evaluateServer({ ...server, versionNumber: 149_999 }),
      /Upgrade/,
    ],
    ['a standby', 'problem', evaluateServer({ ...server, isReadOnly: true }), /primary/],
    ['fsync off', 'problem', evaluateDurability({ ...server, fsync: false }), /SET fsync = on/],
    [
      'full_page_writes off',
      'problem',
      evaluateDurability({ ...server, fullPageWrites: false }),
      /full_page_writes = on/,
    ],
    [
      'synchronous_commit off',
      'problem',
      evaluateDurability({ ...server, synchronousCommit: 'off' }),
      /_commit = on/,
    ],
    ['too few connections', 'warning', evaluateConnections({ ...server, connectionsUsed: 47 }, 51), /= 202/],
    ['autovacuum off', 'problem', evaluateCleaning({ ...server, autovacuum: false }), /SET autovacuum = on/],
    ['a high transaction age', 'warning', evaluateCleaning({ ...server, transactionAge: 501e6 }), /VACUUM/],
    [
      'a transaction age near wraparound',
      'problem',
      evaluateCleaning({ ...server, transactionAge: 1501e6 }),
      /VACUUM/,
    ],
    [
      'a transaction that is open for too long',
      'warning',
      evaluateCleaning({ ...server, oldestTransactionS: 3601 }),
      /pg_terminate/,
    ],
    [
      'an unsupported encoding',
      'problem',
      evaluateLocale({ ...locale, encoding: 'LATIN1' }),
      /createdb --encoding=UTF8/,
    ],
    ['a changed locale version', 'warning', evaluateLocale({ ...locale, versionInUse: '2.41' }), /REINDEX/],
    [
      'a clock behind',
      'warning',
      evaluateClock('X', { askedAtMs: 9000, theirsMs: 6900, answeredAtMs: 9000 }),
      /NTP/,
    ],
    ['a clock ahead', 'warning', evaluateClock('X', { ...clock, theirsMs: 3101 }), /NTP/],
    [
      'missing migrations',
      'problem',
      evaluateMigrations({ pending: 2, foreign: null, isPrivate: false }),
      /migrate/,
    ],
    [
      'a new private server without migrations',
      'warning',
      evaluateMigrations({ pending: 6, foreign: null, isPrivate: true }),
      /migrate/,
    ],
    [
      'a schema of another version',
      'problem',
      evaluateMigrations({ pending: 0, foreign: 'x', isPrivate: false }),
      /newer one/,
    ],
    ['a check that needs the schema', 'warning', beforeMigrations('queue'), /Apply the migrations/],
    [
      'a missing role',
      'problem',
      evaluateRole({ ...app, exists: false }, roleContext),
      /CREATE ROLE nightshift_app/,
    ],
    [
      'missing roles before the migrations',
      'problem',
      evaluateRole({ ...app, exists: false }, { ...roleContext, isMigrated: false }),
      /migrate/,
    ],
    [
      'a role with too many rights',
      'problem',
      evaluateRole({ ...app, isUnbound: true }, roleContext),
      /NOSUPERUSER/,
    ],
    [
      'a login that is not a member of the role',
      'problem',
      evaluateActing(acting, 'denied'),
      /GRANT nightshift_app TO "operator"/,
    ],
    ['excessive rights', 'problem', evaluateRights(['a', 'b', 'c', 'd']), /REVOKE/],
    [
      'a reader login with excessive rights',
      'warning',
      evaluateReaderLogin({ login: 'a', maySeeMore: true }),
      /IN ROLE nightshift_reader/,
    ],
    [
      'a queue that cannot be created',
      'problem',
      evaluatePostgresQueue({ ...queue, mayCreate: false }),
      /GRANT CREATE/,
    ],
    [
      'a queue of another owner',
      'problem',
      evaluatePostgresQueue({ ...queue, owner: 'postgres' }),
      /OWNER TO/,
    ],
    [
      'missing tables of the queue',
      'problem',
      evaluatePostgresQueue({ ...queue, tables: ['migration'] }),
      /DROP SCHEMA bullmq CASCADE/,
    ],
    [
      'a queue of a newer BullMQ',
      'problem',
      evaluatePostgresQueue({ ...queue, clientVersion: 7 }),
      /newer Nightshift/,
    ],
    [
      'an unsupported Redis release',
      'problem',
      evaluateRedis({ ...redis, version: '6.1.9' }, '{n}'),
      /Upgrade/,
    ],
    ['a Redis replica', 'problem', evaluateRedis({ ...redis, isReplica: true }, '{n}'), /primary/],
    [
      'a cluster with an untagged prefix',
      'problem',
      evaluateRedis({ ...redis, isCluster: true }, 'n'),
      /NIGHTSHIFT_QUEUE_PREFIX=\{n\}/,
    ],
    [
      'a Redis eviction policy',
      'problem',
      evaluateRedis({ ...redis, policy: 'allkeys-lru' }, '{n}'),
      /noeviction/,
    ],
    [
      'Redis without an append-only file',
      'problem',
      evaluateRedis({ ...redis, hasAppendOnlyFile: false }, '{n}'),
      /appendonly yes/,
    ],
    [
      'a failing append-only file',
      'problem',
      evaluateRedis({ ...redis, appendOnlyFileFails: true }, '{n}'),
      /disk/,
    ],
    [
      'Redis nearly full',
      'warning',
      evaluateRedis({ ...redis, usedBytes: 81, bytesMax: 100 }, '{n}'),
      /maxmemory/,
    ],
    ['Redis full', 'problem', evaluateRedis({ ...redis, usedBytes: 96, bytesMax: 100 }, '{n}'), /maxmemory/],
    ['no source', 'warning', evaluateDefaultSources([], []), /snapshot load/],
    [
      'configured sources that are not selected',
      'warning',
      evaluateDefaultSources([], [serpapi, adyntel]),
      /serpapi and adyntel are configured but not selected: .*NIGHTSHIFT_SOURCES=serpapi,adyntel\./,
    ],
    ['the sample source', 'warning', evaluateDefaultSources(['sample'], []), /NIGHTSHIFT_SOURCES/],
    [
      'a source that is not configured',
      'problem',
      evaluateSource('upstream', 'not configured'),
      /NIGHTSHIFT_SOURCES/,
    ],
    [
      'an old snapshot',
      'warning',
      evaluateSnapshotAge('2026-10-20', new Date('2026-11-21')),
      /snapshot load/,
    ],
    ['a snapshot without dates', 'warning', evaluateSnapshotAge(null, new Date()), /snapshot load/],
    [
      'an unreachable upstream',
      'problem',
      evaluateReach(upstream, 'https://x.example', 'refused'),
      /NIGHTSHIFT_UPSTREAM_URL/,
    ],
    [
      'an unreachable mapped source',
      'problem',
      evaluateReach(mapped, 'https://x.example', 'refused'),
      /base_url in NIGHTSHIFT_MAPPED_FILE/,
    ],
    [
      'a source without a price',
      'warning',
      evaluatePrices(
        [
          { name: 'serpapi', unit: 'search' },
          { name: 'mapped', unit: "an actor's run" },
        ],
        ['serpapi'],
      ) ?? [],
      /prices source mapped AMOUNT --currency USD --unit 'an actor'\\''s run'`/,
    ],
    [
      'a source with terms',
      'warning',
      evaluateTerms(transparency) ?? [],
      /adstransparency\.google\.com\/terms/,
    ],
    [
      'a wrong password',
      'problem',
      evaluateUnreached('postgres://a:hidden@h/d', refusal('28P01')),
      /password/,
    ],
    [
      'a missing database',
      'problem',
      evaluateUnreached('postgres://a:hidden@h/d', refusal('3D000')),
      /createdb/,
    ],
    [
      'a full server',
      'problem',
      evaluateUnreached('postgres://a:hidden@h/d', refusal('53300')),
      /max_connections/,
    ],
    [
      'a full server of several',
      'problem',
      evaluateUnreached('postgres://a:hidden@h,i/d', new Error('none', { cause: refusal('53300') })),
      /max_connections/,
    ],
    [
      'an unreachable server',
      'problem',
      evaluateUnreached('postgres://a:hidden@h/d', refusal('ECONNREFUSED')),
      /Postgres is running/,
    ],
    [
      'a pooler without the address of the server itself',
      'problem',
      evaluatePooler({ ...given, hasSession: false, pooled: null }),
      /Set NIGHTSHIFT_DIRECT_URL/,
    ],
    [
      'a pooler at both addresses',
      'problem',
      evaluatePooler({ ...pooler, hasSession: false }),
      /Postgres server itself\.$/,
    ],
    [
      'an owner who goes through the pooler',
      'problem',
      evaluatePooler({ ...pooler, pooled: { ...pooled, mistake: 'It may do more' } }),
      /NIGHTSHIFT_OWNER_URL/,
    ],
    [
      'a pooler of another database',
      'problem',
      evaluatePooler({ ...pooler, pooled: { ...pooled, isSameDatabase: false } }),
      /same database/,
    ],
    [
      'idle transactions through a pooler without a limit',
      'warning',
      evaluatePooler({ ...pooler, pooled: { ...pooled, transactionIdleMsMax: 0 } }),
      /RECONNECT/,
    ],
    [
      'a replica of another system',
      'problem',
      evaluateReplica({ ...replica, isSameSystem: false }),
      /NIGHTSHIFT_READER_URL/,
    ],
    [
      'a replica that is no standby',
      'warning',
      evaluateReplica({ ...replica, isStandby: false }),
      /prefer-standby/,
    ],
    [
      'a replica of an earlier history',
      'warning',
      evaluateReplica({ ...replica, isSameTimeline: false }),
      /rebuild it/,
    ],
    [
      'a replica whose replay is paused',
      'warning',
      evaluateReplica({ ...replica, isReplayedInTime: false, isReplayPaused: true }),
      /pg_wal_replay_resume/,
    ],
    [
      'a replica that is behind',
      'warning',
      evaluateReplica({ ...replica, isReplayedInTime: false }),
      /pg_stat_replication/,
    ],
    ['a replica that is away', 'warning', evaluateUnreachedReplica(replica.url, 'x'), /pg_hba.conf/],
    [
      'a private server that does not start',
      'problem',
      evaluateUnreached(null, new Error('x')),
      /DATABASE_URL/,
    ],
  ];

test.each(failures)('%s is a %s with its remedy', (_what, status, evaluated, remedy) => {
  const bad = [evaluated].flat().filter((finding) => finding.status !== 'ok');
  expect(bad).toHaveLength(1);
  expect(bad[0]).toMatchObject({ status, remedy: expect.stringMatching(remedy) as string });
});

test('a replica that keeps up is ok, with its lag', () => {
  expect(evaluateReplica(replica)).toMatchObject({
    status: 'ok',
    found: expect.stringContaining('12,345 bytes behind') as string,
  });
});

test('no result contains a password', () => {
  const all = [...failures.map(([, , evaluated]) => evaluated), evaluateReached(given)].flat();
  expect(JSON.stringify(all)).not.toContain('hidden');
});

describe('a failing check', () => {
  test('is reported as a problem with its error message', async () => {
    const wrapped = new Error('Failed query: SELECT everything', {
      cause: new Error('disk on fire\nline 2'),
    });
    expect(await examine('disk', () => Promise.reject(wrapped))).toMatchObject([
      { name: 'disk', status: 'problem', found: 'check failed: disk on fire' },
    ]);
  });

  test('is reported as a problem if it throws synchronously', async () => {
    const fail = () => {
      throw new Error('broken');
    };
    expect(await examine('x', fail)).toMatchObject([{ status: 'problem' }]);
  });
});
