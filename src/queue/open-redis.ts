import { Cluster, Redis } from 'ioredis';
import {
  parseRedisAddress,
  type RedisAddress,
  type RedisCluster,
  type RedisEndpoint,
  type RedisLogin,
  type RedisMaster,
  type RedisServer,
} from '../core/work/redis-address.ts';
import {
  clusterRetries,
  masterRetries,
  questionRetries,
  redisReconnect,
  serverRetries,
} from '../core/work/redis-retries.ts';

/**
 * Opens a client for `REDIS_URL`, in any form of `parseRedisAddress`. Every client of Redis is opened here.
 *
 * It connects with the first command, because most commands of Nightshift need no queue, and reconnects forever: a worker
 * survives a restart of Redis and a failover. Commands wait meanwhile. `onError` is called once per loss, not for every attempt to
 * reconnect.
 *
 * @throws Misconfigured when the URL is invalid.
 */
export function openRedis(url: string, onError: (error: Error) => void): Redis {
  const client = openClient(parseRedisAddress(url));
  reportOnce(client, onError);
  return client;
}

/** Opens a client of one sentinel, for one question: it does not reconnect. */
export function openSentinel(
  { host, port }: RedisEndpoint,
  { sentinelLogin, isEncrypted }: Pick<RedisMaster, 'sentinelLogin' | 'isEncrypted'>,
): Redis {
  const client = new Redis({
    ...{ host, port, lazyConnect: true, enableReadyCheck: false },
    ...loginOf(sentinelLogin),
    ...tlsOf(isEncrypted),
    connectTimeout: redisReconnect.sentinelMsMax,
    commandTimeout: redisReconnect.sentinelMsMax,
    ...questionRetries(),
  });
  // The question fails with the same error.
  client.on('error', () => undefined);
  return client;
}

/** Calls `onError` once per lost connection. An unreachable server is reported by `reachRedis`. */
function reportOnce(client: Redis, onError: (error: Error) => void): void {
  let isAway = true;
  client.on('ready', () => (isAway = false));
  client.on('error', (error) => {
    if (!isAway) onError(error);
    isAway = true;
  });
}

function openClient(address: RedisAddress): Redis {
  switch (address.kind) {
    case 'server':
      return openServer(address);
    case 'cluster':
      return openCluster(address);
    case 'sentinel':
      return openMaster(address);
  }
}

function openServer({ server, database, login, isEncrypted }: RedisServer): Redis {
  return new Redis({
    ...serverRetries(),
    ...server,
    ...loginOf(login),
    ...tlsOf(isEncrypted),
    db: database,
    lazyConnect: true,
  });
}

/**
 * Opens a client of the master. It connects only to a server that is the master by its own account too: sentinels tell a restarted one about
 * its successor after some seconds.
 */
function openMaster(address: RedisMaster): Redis {
  const { sentinels, sentinelLogin, master, database, login, isEncrypted } = address;
  const { sentinelMsMax } = redisReconnect;
  return new Redis({
    ...masterRetries(),
    ...loginOf(login),
    ...(isEncrypted ? { ...tlsOf(true), sentinelTLS: verified, enableTLSForSentinelMode: true } : {}),
    sentinels: sentinels.map((sentinel) => ({ ...sentinel })),
    ...(sentinelLogin === null ? {} : { sentinelPassword: sentinelLogin.password }),
    ...(sentinelLogin?.user == null ? {} : { sentinelUsername: sentinelLogin.user }),
    name: master,
    db: database,
    lazyConnect: true,
    connectTimeout: sentinelMsMax,
    sentinelCommandTimeout: sentinelMsMax,
  });
}

/**
 * Opens a client of a cluster. BullMQ and the scripts use only the common interface of `Redis` and `Cluster`. Nodes keep their names with
 * TLS, because certificates are for names.
 */
function openCluster({ nodes, login, isEncrypted }: RedisCluster): Redis {
  const { redisOptions, ...retries } = clusterRetries();
  const cluster = new Cluster(
    nodes.map((node) => ({ ...node })),
    {
      ...retries,
      redisOptions: { ...redisOptions, ...loginOf(login), ...tlsOf(isEncrypted) },
      ...(isEncrypted ? { dnsLookup: (host, done) => done(null, host) } : {}),
      lazyConnect: true,
    },
  );
  return cluster as unknown as Redis;
}

function loginOf(login: RedisLogin | null): { readonly username?: string; readonly password?: string } {
  if (login === null) return {};
  const { user, password } = login;
  return user === null ? { password } : { username: user, password };
}

/** Certificates are verified, whatever NODE_TLS_REJECT_UNAUTHORIZED says. NODE_EXTRA_CA_CERTS adds to the trusted ones. */
const verified = { rejectUnauthorized: true } as const;

function tlsOf(isEncrypted: boolean): { readonly tls?: typeof verified } {
  return isEncrypted ? { tls: verified } : {};
}
