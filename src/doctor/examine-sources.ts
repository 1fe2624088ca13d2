import type { Database } from '../../db/client.ts';
import { readNewestDay } from '../../db/snapshot-facts.ts';
import { findAccount } from '../../db/stores/accounts.ts';
import { createSnapshotStore } from '../../db/stores/snapshots.ts';
import type { Config, UpstreamConfig } from '../config.ts';
import { Misconfigured } from '../core/errors.ts';
import { reachHost } from '../infra/reach-host.ts';
import { createSourceDesk, type SourceDesk } from '../sources.ts';
import type { PostgresExamination } from './examine-postgres.ts';
import { examine, wordsOf, type Finding } from './finding.ts';
import { beforeMigrations } from './judge-migrations.ts';
import { judgeDefaultSources, judgeSnapshotAge, judgeSource, judgeUpstream } from './judge-sources.ts';

const reachMsMax = 5000;

/** The sources. Without a database whose schema is up to date only the upstream can be looked at. */
export async function examineSources(
  config: Config,
  { database, isMigrated }: Pick<PostgresExamination, 'database' | 'isMigrated'>,
): Promise<readonly Finding[]> {
  return [
    ...(database === null
      ? []
      : await examine('sources', () =>
          isMigrated ? examineDesk(config, database) : [beforeMigrations('sources')],
        )),
    ...(config.upstream === null ? [] : [await examineUpstream(config.upstream)]),
  ];
}

async function examineDesk(config: Config, database: Database): Promise<readonly Finding[]> {
  const { sources: configured, upstream } = config;
  const snapshots = createSnapshotStore(database);
  const accountId = await findAccount(database.sql, 'default');
  const desk = createSourceDesk({ snapshots, configured, upstream });
  const names = (await orTrouble(() => desk.defaultNames())).answer ?? [];
  return [
    judgeDefaultSources(names),
    ...(await Promise.all(
      names.map(async (name) => judgeSource(name, await troubleWith(desk, name, accountId))),
    )),
    ...((await snapshots.find('snapshot')) === null ? [] : await examineAge(database)),
  ];
}

async function troubleWith(desk: SourceDesk, name: string, accountId: number): Promise<string | null> {
  return (await orTrouble(() => desk.named([name], accountId))).trouble;
}

/** The answer, or what the configuration lacks for it, in the error's words. Any other error is thrown on. */
async function orTrouble<T>(
  work: () => Promise<T>,
): Promise<{ readonly answer: T | null; readonly trouble: string | null }> {
  try {
    return { answer: await work(), trouble: null };
  } catch (error) {
    if (error instanceof Misconfigured) return { answer: null, trouble: error.message };
    throw error;
  }
}

function examineAge({ pool }: Database): Promise<readonly Finding[]> {
  return examine('age of the snapshot', async () => [
    judgeSnapshotAge(await readNewestDay(pool, 'snapshot'), new Date()),
  ]);
}

async function examineUpstream({ url }: UpstreamConfig): Promise<Finding> {
  try {
    await reachHost(url, reachMsMax);
    return judgeUpstream(url, null);
  } catch (error) {
    return judgeUpstream(url, wordsOf(error));
  }
}
