import { createClosers } from '../closers.ts';
import type { Config } from '../config/config.ts';
import { QueueUnavailable } from '../core/errors.ts';
import { findDataFolder, readFolderInfo, readFreeBytes } from './checks/folder-info.ts';
import { explainRedisError, surveyRedis } from '../queue/redis-info.ts';
import { examineResolvers } from './checks/collect-name-servers.ts';
import { examineEvents } from './checks/collect-events.ts';
import { examinePostgres } from './checks/collect-postgres.ts';
import { examineProbing } from './checks/collect-probing.ts';
import { examineSources } from './checks/collect-sources.ts';
import { examine, problem, errorMessage, type Finding } from './checks/check-result.ts';
import { evaluateHome, evaluateNode, evaluateSpace } from './checks/evaluate-machine.ts';
import { evaluateRedis } from './checks/redis/evaluate-redis.ts';
import { examineReplica } from './checks/replica/examine-replica.ts';
import { evaluateTopology } from './checks/redis/evaluate-topology.ts';

/** Results of all checks, in the order in which to fix them. */
export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** True if the database or the queue is unreachable. */
  readonly isServerAway: boolean;
}

export interface DiagnoseOptions {
  readonly nodeVersion: string;
  /** Called with a progress message while the private server starts. */
  readonly onProgress: (message: string) => void;
}

/**
 * Checks this machine, the database, the queue, the sources, name servers, mail servers and webhooks. Checks are independent: a
 * failed part does not keep the others from being reported. Uses no credits and changes nothing, except that it starts an
 * existing private server like any command.
 */
export async function diagnose(
  config: Config,
  { nodeVersion, onProgress }: DiagnoseOptions,
): Promise<Diagnosis> {
  const closers = createClosers();
  try {
    const postgres = await examinePostgres(config, { closers, onProgress });
    const redis =
      config.redisUrl === null ? reachedNone : await examineRedis(config.redisUrl, config.queuePrefix);
    const findings = [
      evaluateNode(nodeVersion),
      ...(await examineDisk(config)),
      ...postgres.findings,
      ...(await examineReplica(postgres)),
      ...redis.findings,
      ...(await examineSources(config, postgres)),
      ...(await examineResolvers(config)),
      ...(await examineProbing(config)),
      ...(await examineEvents(config, postgres)),
    ];
    return { findings, isServerAway: (postgres.database === null && !postgres.isMissing) || redis.isAway };
  } finally {
    await closers.close();
  }
}

/** Checks the home folder and the disk of the data. The data of a private server can be on another disk than the home. */
async function examineDisk({ home, databaseUrl }: Config): Promise<readonly Finding[]> {
  return [
    ...(await examine('home folder', async () => [evaluateHome(await readFolderInfo(home))])),
    ...(await examine('disk space', async () => {
      const folder = databaseUrl === null ? await findDataFolder(home) : home;
      return [evaluateSpace(folder, await readFreeBytes(folder))];
    })),
  ];
}

interface RedisExamination {
  readonly findings: readonly Finding[];
  readonly isAway: boolean;
}

const reachedNone: RedisExamination = { findings: [], isAway: false };

async function examineRedis(url: string, prefix: string): Promise<RedisExamination> {
  let isAway = false;
  const findings = await examine('queue', async () => {
    try {
      const survey = await surveyRedis(url);
      return [evaluateTopology(survey), ...survey.servers.flatMap((info) => evaluateRedis(info, prefix))];
    } catch (error) {
      if (!(error instanceof QueueUnavailable)) throw error;
      isAway = true;
      const { found, remedy } = explainRedisError(new Error(errorMessage(error)));
      return [problem('queue', found, `${remedy} Nothing is lost: the queue is refilled from Postgres.`)];
    }
  });
  return { findings, isAway };
}
