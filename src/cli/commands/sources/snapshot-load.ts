import { expandFiles } from '../../../sources/snapshot/expand-files.ts';
import { importSnapshot, type SnapshotImport } from '../../../sources/snapshot/import.ts';
import type { SnapshotName } from '../../../core/sources/snapshot-store.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { ValidationError } from '../../../core/errors.ts';
import { sampleFile } from '../../../package-root.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { Interrupted } from '../../process/interrupted.ts';
import { withProgress } from '../../terminal/progress.ts';

interface LoadFlags {
  readonly sample?: boolean;
  readonly asOf?: string;
}

/** Loads exports of the public dataset as the local snapshot; `--sample` loads the bundled, generated one. */
export const snapshotLoad: Command<[readonly string[]], LoadFlags> = async (
  context,
  { sample, asOf },
  files,
) => {
  if (files.length === 0 && sample !== true)
    throw new ValidationError('Name the files to load, or use --sample.');
  const load =
    sample === true
      ? await loadSample(context)
      : await loadFiles(context, 'snapshot', await expandFiles(files), asOf ?? null);
  context.output.result(load, () => loadText(load));
  return exitCodes.done;
};

/** Loads the generated sample that ships with Nightshift. */
export function loadSample(context: CommandContext): Promise<SnapshotImport> {
  return loadFiles(context, 'sample', [sampleFile]);
}

async function loadFiles(
  context: CommandContext,
  name: SnapshotName,
  files: readonly string[],
  asOf: string | null = null,
): Promise<SnapshotImport> {
  const {
    sources: { snapshots },
  } = await context.app();
  const loading = withProgress(context.output, `Loading ${name}`, async (progress) => {
    const load = await importSnapshot({
      store: snapshots,
      name,
      files,
      asOf,
      signal: context.signal,
      onWait: (reason) => progress.note(`waiting: ${reason}`),
      onProgress: ({ bytesRead, bytesTotal, rows }) =>
        progress.show(bytesRead, bytesTotal, [
          counted(rows, 'row'),
          ...(bytesRead === bytesTotal ? ['storing'] : []),
        ]),
    });
    progress.finish(`${counted(load.ads, 'ad')} of ${counted(load.advertisers, 'advertiser')}`);
    return load;
  });
  return loading.catch((error: unknown) => {
    throw context.signal.aborted ? new Interrupted('Stopped. Nothing was stored.', { cause: error }) : error;
  });
}

function loadText(load: SnapshotImport): string {
  return [
    `Rows         ${shown(load.rows)}, of which ${counted(load.duplicates, 'is a duplicate', 'are duplicates')}`,
    `Ads          ${shown(load.ads)}: ${shown(load.adsNew)} new, ${shown(load.adsChanged)} changed`,
    `Advertisers  ${shown(load.advertisers)}`,
    `As of        ${load.asOf}`,
    ...(load.removedAds === 0 ? [] : [`Removed ads  ${shown(load.removedAds)}`]),
    ...(load.rowsWithoutDates === 0 ? [] : [`No dates     ${counted(load.rowsWithoutDates, 'row')}`]),
  ].join('\n');
}

function shown(count: number): string {
  return count.toLocaleString('en');
}
