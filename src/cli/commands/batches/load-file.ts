import { parseSourceNames } from '../../../config/config.ts';
import type { LoadedBatch } from '../../../producer/load/load-batch.ts';
import { describeUnused, describeUsed } from '../../../producer/columns/column-labels.ts';
import type { FileForm } from '../../../producer/columns/company-file.ts';
import { placeUnit } from '../../../producer/formats/file-formats.ts';
import { parseLabelChanges } from '../../../core/batches/batch-labels.ts';
import { noBounds } from '../../../core/batches/batch.ts';
import { parseBounds, type BoundsOptions } from './bounds-options.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import type { CommandContext } from '../../context/command-context.ts';
import { Interrupted } from '../../process/interrupted.ts';
import { openFile, type FileOptions } from './open-file.ts';
import { parseSearch, type SearchFlags } from './search-options.ts';
import { withProgress } from '../../terminal/progress.ts';

/** Options of every command that loads a file as a batch. */
export interface LoadFileOptions extends AccountOptions, FileOptions, BoundsOptions, SearchFlags {
  readonly source?: string;
  readonly again?: boolean;
  readonly name?: string;
  readonly tag?: readonly string[];
}

/** Loads a file as a batch, with progress: the first half of `enrich`, and all of `load`. */
export async function loadFile(
  context: CommandContext,
  file: string,
  options: LoadFileOptions,
): Promise<LoadedBatch & { readonly accountId: number }> {
  const bounds = { ...noBounds, ...parseBounds(options) };
  const search = parseSearch(options);
  const labels = parseLabelChanges({ name: options.name, tags: options.tag });
  const input = await openFile(context, file, options);
  const app = await context.app();
  const { accountId } = await chooseAccount(context, options);
  const loading = withProgress(context.output, 'Loading', async (progress) => {
    const loaded = await app.batches.load({
      ...input,
      accountId,
      sources: async () => {
        const sources = await chooseSources(context, options.source);
        await app.sources.prepareSearch(sources, search, { spend: bounds.maxSpend, where: '--max-spend' });
        return sources;
      },
      search,
      bounds,
      by: 'cli',
      labels: { ...labels, origin: 'cli' },
      again: options.again === true,
      signal: context.signal,
      onForm: (form) => context.output.note(columnsText(form)),
      onNotes: (notes) => progress.note(notes.map(findingLine).join('\n')),
      onWait: (reason) => progress.note(`waiting: ${reason}`),
      onProgress: (rows) => progress.show(rows, null, [`${rows.toLocaleString('en')} rows`]),
    });
    progress.finish(
      loaded.isNew
        ? `${loaded.publicId}`
        : `${loaded.publicId}, the batch of an earlier run: its results cost nothing more (--again creates a new one)`,
    );
    return { ...loaded, accountId };
  });
  return loading.catch((error: unknown) => {
    throw context.signal.aborted ? new Interrupted(interruptedText, { cause: error }) : error;
  });
}

/** Lists the used and unused columns, so that the user can stop a batch whose columns were misread before it costs credits. */
function columnsText(form: FileForm): string {
  return [
    `Columns: ${describeUsed(form)}`,
    ...form.unused.slice(0, unusedShown).map((column) => `Not used: ${describeUnused(column)}`),
    ...restText(form),
    ...(form.linesAbove === 0
      ? []
      : [`Left out: ${form.linesAbove} ${placeUnit(form.format)}s above the header`]),
    ...form.findings.map(findingLine),
  ].join('\n');
}

function findingLine(finding: string): string {
  return `Finding: ${finding}`;
}

const unusedShown = 8;

function restText({ unused }: FileForm): readonly string[] {
  const left = unused.length - unusedShown;
  return left > 0 ? [`… and ${left} more unused columns: nightshift check lists them`] : [];
}

const interruptedText =
  'Stopped while loading the file. Nothing was looked up or charged. To continue, run the same command again.';

/** Returns the sources named on the command line, else the default ones. */
export async function chooseSources(
  context: CommandContext,
  source: string | undefined,
): Promise<readonly string[]> {
  const app = await context.app();
  return source === undefined
    ? app.sources.registry.defaultNames()
    : parseSourceNames(source, app.config.catalog);
}
