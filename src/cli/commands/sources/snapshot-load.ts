import { expandFiles } from '../../../sources/snapshot/expand-files.ts';
import { importSnapshot, type ImportOptions, type SnapshotImport } from '../../../sources/snapshot/import.ts';
import { counted } from '../../../core/events/messages/text.ts';
import { ValidationError } from '../../../core/errors.ts';
import { importSample } from '../../../sources/snapshot/import-sample.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { Interrupted } from '../../process/interrupted.ts';
import { withProgress } from '../../terminal/progress.ts';

interface LoadFlags {
  readonly sample?: boolean;
  readonly asOf?: string;
}

/** Loads exports of the public dataset as the local snapshot; `--sample` loads the generated sample as of today. */
export const snapshotLoad: Command<[readonly string[]], LoadFlags> = async (
  context,
  { sample, asOf },
  files,
) => {
  if (files.length === 0 && sample !== true)
    throw new ValidationError('Name the files to load, or use --sample.');
  const loaded =
    sample === true
      ? await loadSample(context)
      : await loadFiles(context, await expandFiles(files), asOf ?? null);
  context.output.result(loaded, () => loadText(loaded));
  return exitCodes.done;
};

/** Loads the generated sample as of a day, `YYYY-MM-DD`; default: today. */
export async function loadSample(
  context: CommandContext,
  { asOf, title = 'Loading sample' }: { readonly asOf?: string; readonly title?: string } = {},
): Promise<SnapshotImport> {
  const { snapshots: store } = (await context.app()).sources;
  const day = asOf ?? (await store.today());
  return load(context, title, ({ signal, onWait }) => importSample({ store, day, signal, onWait }));
}

async function loadFiles(
  context: CommandContext,
  files: readonly string[],
  asOf: string | null,
): Promise<SnapshotImport> {
  const { snapshots: store } = (await context.app()).sources;
  return load(context, 'Loading snapshot', (options) =>
    importSnapshot({ ...options, store, name: 'snapshot', files, asOf }),
  );
}

type LoadOptions = Required<Pick<ImportOptions, 'signal' | 'onWait' | 'onProgress'>>;

async function load(
  context: CommandContext,
  title: string,
  importWith: (options: LoadOptions) => Promise<SnapshotImport>,
): Promise<SnapshotImport> {
  const loading = withProgress(context.output, title, async (progress) => {
    const loaded = await importWith({
      signal: context.signal,
      onWait: (reason) => progress.note(`waiting: ${reason}`),
      onProgress: ({ bytesRead, bytesTotal, rows }) =>
        progress.show(bytesRead, bytesTotal, [
          counted(rows, 'row'),
          ...(bytesRead === bytesTotal ? ['storing'] : []),
        ]),
    });
    progress.finish(`${counted(loaded.ads, 'ad')} of ${counted(loaded.advertisers, 'advertiser')}`);
    return loaded;
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
