import { resolve } from 'node:path';
import { copyDatabase, digestTables, requireBackup } from '../../../../db/upgrade/copy-database.ts';
import { migrate } from '../../../../db/migrate.ts';
import { shipBeforeStop } from '../../../app/backups/ship-before-stop.ts';
import { ValidationError } from '../../../core/errors.ts';
import { sizeText } from '../../../core/size-text.ts';
import { schemaFolder } from '../../../package-root.ts';
import { backOutUpgrade, removeEarlierData } from '../../../postgres-server/upgrade/back-out.ts';
import { upgradeCluster, type ClusterUpgraded } from '../../../postgres-server/upgrade/upgrade-cluster.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { withProgress } from '../../terminal/progress.ts';
import { unshippedText } from './unshipped-text.ts';

/** Options of `upgrade`. */
export interface UpgradeOptions {
  readonly oldBinaries?: string;
  readonly backOut?: boolean;
  readonly removeOld?: boolean;
  readonly force?: boolean;
}

/** Moves the private server to the newest installed version of Postgres, goes back, or removes the earlier data. */
export const upgrade: Command<[], UpgradeOptions> = async (context, options) => {
  const { databaseUrl, home } = context.config();
  if (databaseUrl !== null) {
    throw new ValidationError(
      'DATABASE_URL is set: upgrade that server with its own tools, such as pg_upgrade or those of your provider (docs/guides/upgrade.md). Unset it to upgrade a private server.',
    );
  }
  if (options.backOut === true && options.removeOld === true)
    throw new ValidationError('--back-out and --remove-old exclude each other.');
  if (options.force === true && options.backOut !== true)
    throw new ValidationError('--force is for --back-out.');
  if (options.removeOld === true) return removeOld(context, home);
  const oldBinaries = options.oldBinaries === undefined ? null : resolve(options.oldBinaries);
  if (options.backOut === true) return backOut(context, { home, oldBinaries, force: options.force === true });
  const upgraded = await runUpgrade(context, home, oldBinaries);
  context.output.result({ home, ...upgraded }, () => upgradedText(upgraded));
  return exitCodes.done;
};

function runUpgrade(
  { config, output, signal }: CommandContext,
  home: string,
  oldBinaries: string | null,
): Promise<Omit<ClusterUpgraded, 'tables'> & { readonly rows: number }> {
  return withProgress(output, 'Upgrading', async (progress) => {
    const { tables, ...upgraded } = await upgradeCluster({
      home,
      oldBinaries,
      migrate: async (server) => void (await migrate(server.url('nightshift_owner'), schemaFolder)),
      copy: (from, to) =>
        copyDatabase({
          fromUrl: from.url('postgres'),
          toUrl: to.url('postgres'),
          onBytes: (done, total) =>
            progress.show(done, total, [`${sizeText(done)} of ${sizeText(total)} copied and compared`]),
          signal,
        }),
      beforeSwitch: async (server) => {
        const reason = await shipBeforeStop(config(), server, signal);
        if (reason !== null) progress.note(unshippedText(reason, server.dataFolder));
      },
      onProgress: (message) => progress.note(message),
      signal,
    });
    const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
    return { ...upgraded, rows };
  });
}

function upgradedText({
  upgraded,
  fromMajor,
  major,
  version,
  dataFolder,
  earlierData,
  rows,
}: Omit<ClusterUpgraded, 'tables'> & { readonly rows: number }): string {
  if (!upgraded) return `The server already runs Postgres ${major}.`;
  return [
    `Upgraded from Postgres ${fromMajor} to ${version}: ${rows.toLocaleString('en')} rows copied and compared. The data is in ${dataFolder}.`,
    `The earlier data is kept in ${earlierData}. To go back to it: nightshift upgrade --back-out. To remove it: nightshift upgrade --remove-old.`,
    'Next: nightshift up. If the server had backups, run nightshift backup: until then, changes do not reach the archive.',
  ].join('\n');
}

async function backOut(
  { output, signal }: CommandContext,
  options: { readonly home: string; readonly oldBinaries: string | null; readonly force: boolean },
): Promise<number> {
  const backedOut = await withProgress(output, 'Going back', (progress) =>
    backOutUpgrade({
      ...options,
      digest: digestTables,
      prepare: requireBackup,
      onProgress: (message) => progress.note(message),
      signal,
    }),
  );
  output.result({ home: options.home, ...backedOut }, () =>
    [
      `The data of Postgres ${backedOut.major} is in use again, as it was before the upgrade.`,
      `The newer data is kept in ${backedOut.newerData}. Delete it when you no longer need it.`,
      'If the server had backups, run nightshift backup: until then, a restore brings back the newer data, if it was backed up.',
    ].join('\n'),
  );
  return exitCodes.done;
}

async function removeOld({ output }: CommandContext, home: string): Promise<number> {
  const removed = await removeEarlierData(home);
  output.result({ home, ...removed }, () => `Removed ${removed.dataFolder} (${sizeText(removed.bytes)}).`);
  return exitCodes.done;
}
