/**
 * The connection to Redis is lost.
 *
 * Commands wait for the connection without a limit, so that a worker outlasts a restart of Redis.
 *
 * Origin: BullMQ requires it of the connections of workers ("Going to production").
 */
export const redisCommand = { maxRetriesPerRequest: null } as const;

/**
 * The server of the queue does not answer a call of the dispatcher, or one for a slot of a rate limit.
 *
 * The call fails, so that a host that reaches the server can take over: the dispatcher leaves the leader lock, and the chunk that waits for a
 * slot is released. The limit leaves time for a failover. What has been sent can still take effect, which is harmless: jobs have ids, and a
 * slot that is not used only delays the next. A process that stops waits `stopMsMax` after its grace time for its jobs to be noted as done: one
 * that is not comes back, and its work is done in Postgres.
 *
 * Origin: our choice; the default of a lease (`NIGHTSHIFT_LEASE_SECONDS`). With the default of `NIGHTSHIFT_GRACE_SECONDS`, a stop ends before
 * Kubernetes kills a pod (30 s).
 */
export const queueCall = { answerMsMax: 30_000, stopMsMax: 5000 } as const;

/**
 * Redis or a sentinel refuses or closes a connection, or does not answer.
 *
 * The client connects again, with growing delays: it uses a new master a second after the sentinels have chosen it. A server that vanishes closes
 * no connection: one that owes an answer for `silentMsMax` counts as lost, which is longer than BullMQ lets it wait for a job (10 s). Sentinels are
 * asked one after the other, each for `sentinelMsMax`.
 *
 * Origin: our choice.
 */
export const redisReconnect = {
  initialDelayMs: 50,
  backoffCoefficient: 2,
  delayMsMax: 1000,
  silentMsMax: 15_000,
  sentinelMsMax: 2000,
} as const;

/**
 * A node of a Redis Cluster cannot take a command: it is away, or no longer the master of the key.
 *
 * The command is sent again for up to a minute: a replica takes over after `cluster-node-timeout`, which is 15 s by default. The masters are
 * asked for every `nodesEveryMs` besides, because one that vanishes closes no connection.
 *
 * Origin: our choice; the Redis Cluster specification ("Replica election and promotion").
 */
export const clusterRedirect = { delayMs: 500, giveUpMs: 60_000, nodesEveryMs: 5000 } as const;

/**
 * Options of ioredis for one server. A server that became a replica rejects the command and gets another connection: a name that moves with the
 * master leads to the new one. The command is not repeated, because a URL can also name a replica by mistake.
 */
export function serverRetries() {
  return { ...common, retryStrategy: reconnectDelayMs, reconnectOnError: isOfReplica } as const;
}

/** Options of ioredis for a master that sentinels name. The command is repeated at the new master. */
export function masterRetries() {
  return { ...common, retryStrategy: reconnectDelayMs, reconnectOnError: repeatIfOfReplica } as const;
}

/** Options of ioredis for a cluster, and for each of its nodes: a node that is lost is looked up again, not waited for. */
export function clusterRetries() {
  return {
    redisOptions: { ...common, reconnectOnError: repeatIfOfReplica },
    maxRedirections: clusterRedirect.giveUpMs / clusterRedirect.delayMs,
    retryDelayOnFailover: clusterRedirect.delayMs,
    retryDelayOnClusterDown: clusterRedirect.delayMs,
    slotsRefreshInterval: clusterRedirect.nodesEveryMs,
  } as const;
}

/** Options of ioredis for a single question to a sentinel. */
export function questionRetries() {
  return { retryStrategy: null } as const;
}

const common = { ...redisCommand, socketTimeout: redisReconnect.silentMsMax } as const;

/** Delay before the n-th attempt to connect, with a jitter, so that not all workers come at once. */
function reconnectDelayMs(attempt: number): number {
  const { initialDelayMs, backoffCoefficient, delayMsMax } = redisReconnect;
  return (
    Math.min(initialDelayMs * backoffCoefficient ** (attempt - 1), delayMsMax) * (0.75 + Math.random() / 4)
  );
}

/** True for the answer of a replica to a write: the master has changed. A script quotes it within its own error. */
function isOfReplica({ message }: Error): boolean {
  return message.includes('READONLY ');
}

/** 2: connect again, and repeat the command there. It had no effect: a replica rejects the first write of a script. */
function repeatIfOfReplica(error: Error): 2 | false {
  return isOfReplica(error) && 2;
}
