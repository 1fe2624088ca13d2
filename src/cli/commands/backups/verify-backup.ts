import { openApp } from '../../../app/app.ts';
import type { Config } from '../../../config/config.ts';
import type { InvariantReport } from '../../../core/reports/invariants.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { checkInvariants, verifyText } from '../server/verify.ts';
import { passedOverTexts } from './backup-text.ts';
import { findArchive, placeOf, type ArchiveOptions } from './find-archive.ts';
import { runRestore } from './run-restore.ts';
import { createScratchHome, removeScratchHome } from './scratch-home.ts';

/** Options of `backup verify`. */
export interface VerifyBackupOptions extends ArchiveOptions {
  readonly backup?: string;
}

/** Restores the newest state of an archive into a scratch home, and checks every invariant there. */
export const verifyBackup: Command<[string | undefined], VerifyBackupOptions> = async (
  context,
  options,
  location,
) => {
  const { output } = context;
  const address = await findArchive(context, location, options);
  const home = await createScratchHome();
  context.onEnd(() => removeScratchHome(home));
  const restored = await runRestore(context, address, {
    home,
    replaces: false,
    until: null,
    backupId: options.backup ?? null,
  });
  const reports = await checkRestored(context, {
    ...context.config(),
    home,
    databaseUrl: null,
    redisUrl: null,
  });
  const broken = reports.filter(({ status }) => status === 'broken');
  output.result(
    { archive: placeOf(address), ...restored, holds: broken.length === 0, invariants: reports },
    () =>
      [
        `Restored the backup ${restored.backup.id} into a scratch server.`,
        ...passedOverTexts(restored.passedOver),
        verifyText(reports, output.tableColumns()),
      ].join('\n'),
  );
  const isWhole = broken.length === 0 && restored.passedOver.length === 0;
  return isWhole ? exitCodes.done : exitCodes.someFailed;
};

async function checkRestored(
  { output, log }: CommandContext,
  config: Config,
): Promise<readonly InvariantReport[]> {
  const onProgress = (message: string) => output.note(`${message} …`);
  const app = await openApp(config, { onProgress, log, mayCreate: false });
  try {
    return await checkInvariants(app, { isFull: true });
  } finally {
    await app.close();
  }
}
