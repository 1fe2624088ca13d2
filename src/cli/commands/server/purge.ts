import { readAge } from '../../../core/time/parse-age.ts';
import { ValidationError } from '../../../core/errors.ts';
import { ordersOf, countPurge, purge, type Purged, type PurgeOrder } from '../../../core/purge/purge.ts';
import { purgeAgeMsMin, purgeKinds, type PurgeKind } from '../../../core/purge/purge-kinds.ts';
import type { PurgeCounts } from '../../../core/purge/purge-store.ts';
import { chooseAccount } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Options of `purge`. */
export interface PurgeCommandOptions {
  readonly olderThan?: string;
  readonly kind?: string;
  readonly account?: string;
  readonly dryRun?: boolean;
}

/** Deletes data past its retention period, or with `--dry-run` counts it. The ledger is kept. */
export const purgeCommand: Command<[], PurgeCommandOptions> = async (context, options) => {
  const { config, output, signal } = context;
  const columnsMax = output.tableColumns();
  const orders = readOrders(context, options);
  const {
    work: { purges, purgedSpace },
  } = await context.app();
  const accountId = options.account === undefined ? null : (await chooseAccount(context, options)).accountId;
  const isDryRun = options.dryRun === true;
  const purged = isDryRun
    ? await countPurge(purges, { orders, accountId })
    : await purge(purges, { orders, accountId, signal, space: purgedSpace });
  const keptForEver = purgeKinds.filter(
    (kind) => options.olderThan === undefined && config().retention[kind] === null,
  );
  output.result({ dryRun: isDryRun, ...purged, keptForEver }, () =>
    purgeText(purged, { keptForEver, isDryRun, columnsMax }),
  );
  return exitCodes.done;
};

/**
 * Returns the purge orders: by `--older-than`, else by the retention settings.
 *
 * @throws ValidationError without `--older-than` and without a retention period.
 */
function readOrders(
  { config }: CommandContext,
  { olderThan, kind }: PurgeCommandOptions,
): readonly PurgeOrder[] {
  const kinds = kind === undefined ? purgeKinds : readKinds(kind);
  if (olderThan !== undefined) {
    const ageMs = readPurgeAge(olderThan);
    return kinds.map((each) => ({ kind: each, ageMs }));
  }
  const orders = ordersOf(config().retention).filter((order) => kinds.includes(order.kind));
  if (orders.length > 0) return orders;
  throw new ValidationError(
    `No retention period is set, so ${kinds.join(', ')} are kept forever. Use --older-than 365d, or set ` +
      'NIGHTSHIFT_KEEP_BATCHES_DAYS and similar settings (docs/guides/retention.md). Preview with --dry-run.',
  );
}

function readKinds(text: string): readonly PurgeKind[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    const kind = purgeKinds.find((known) => known === name);
    if (kind !== undefined) return kind;
    throw new ValidationError(
      `--kind: unknown kind ${JSON.stringify(name)}. Known kinds: ${purgeKinds.join(', ')}.`,
    );
  });
}

function readPurgeAge(text: string): number {
  const ageMs = readAge(text, '--older-than');
  if (ageMs >= purgeAgeMsMin) return ageMs;
  throw new ValidationError(`--older-than ${text}: must be at least 1d. Younger data is not purged.`);
}

function purgeText(
  { kinds, unseenAds, adsLeft }: Purged,
  {
    keptForEver,
    isDryRun,
    columnsMax,
  }: {
    readonly keptForEver: readonly PurgeKind[];
    readonly isDryRun: boolean;
    readonly columnsMax: number;
  },
): string {
  const rows = kinds.map(({ kind, before, counts }) => [kind, before, countsText(counts)]);
  return [
    formatTable(['kind', 'older than', isDryRun ? 'would be deleted' : 'deleted'], rows, columnsMax),
    ...(unseenAds === null
      ? []
      : [`Unreferenced ads${isDryRun ? '' : ' deleted'}: ${countsText({ ...unseenAds })}.`]),
    ...(adsLeft
      ? ['Some unreferenced ads remain, because workers may be using them. The next purge retries.']
      : []),
    ...(keptForEver.length === 0
      ? []
      : [`Kept forever: ${keptForEver.join(', ')}. To limit that, use --older-than or the settings.`]),
    isDryRun ? 'Nothing was deleted. The ledger is always kept.' : 'The ledger is kept.',
  ].join('\n');
}

/** Formats counts above 0: `3 batches, 5000 rows`. */
function countsText(counts: PurgeCounts): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length === 0
    ? 'nothing'
    : some.map(([name, count]) => `${count.toLocaleString('en')} ${name}`).join(', ');
}
