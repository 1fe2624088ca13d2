import { readAge } from '../../../core/time/parse-age.ts';
import { ValidationError } from '../../../core/errors.ts';
import { ordersOf, countPurge, purge, type Purged, type PurgeOrder } from '../../../core/purge/purge.ts';
import { purgeAgeMsMin, purgeKinds, type PurgeKind } from '../../../core/purge/purge-kinds.ts';
import type { PurgeCounts } from '../../../core/purge/purge-store.ts';
import { chooseAccount } from '../../context/choose-account.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

export interface PurgeCommandOptions {
  readonly olderThan?: string;
  readonly kind?: string;
  readonly account?: string;
  readonly dryRun?: boolean;
}

/** Takes away what is older than it may become; with --dry-run says what that is. The ledger stays. */
export const purgeCommand: Command<[], PurgeCommandOptions> = async (context, options) => {
  const { config, output, signal } = context;
  const orders = readOrders(context, options);
  const {
    work: { purges },
  } = await context.app();
  const accountId = options.account === undefined ? null : (await chooseAccount(context, options)).accountId;
  const isDryRun = options.dryRun === true;
  const purged = isDryRun
    ? await countPurge(purges, { orders, accountId })
    : await purge(purges, { orders, accountId, signal });
  const keptForEver = purgeKinds.filter(
    (kind) => options.olderThan === undefined && config().retention[kind] === null,
  );
  output.result({ dryRun: isDryRun, ...purged, keptForEver }, () => purgeText(purged, keptForEver, isDryRun));
  return exitCodes.done;
};

/**
 * Purge orders: what is older than `--older-than`, else what the settings say.
 *
 * @throws ValidationError where neither is given.
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
    `Nothing says how old ${kinds.join(', ')} may become: they are kept for ever. Write --older-than 365d, or set ` +
      'NIGHTSHIFT_KEEP_BATCHES_DAYS and the like (docs/guides/retention.md). --dry-run shows what would go.',
  );
}

function readKinds(text: string): readonly PurgeKind[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  return names.map((name) => {
    const kind = purgeKinds.find((known) => known === name);
    if (kind !== undefined) return kind;
    throw new ValidationError(
      `--kind ${JSON.stringify(name)} is no kind of data. There are: ${purgeKinds.join(', ')}.`,
    );
  });
}

function readPurgeAge(text: string): number {
  const ageMs = readAge(text, '--older-than');
  if (ageMs >= purgeAgeMsMin) return ageMs;
  throw new ValidationError(`--older-than ${text}: nothing younger than a day is purged. Write 1d or more.`);
}

function purgeText(
  { kinds, unseenAds, adsLeft }: Purged,
  keptForEver: readonly PurgeKind[],
  isDryRun: boolean,
): string {
  const rows = kinds.map(({ kind, before, counts }) => [kind, before, countsText(counts)]);
  return [
    formatTable(['kind', 'older than', isDryRun ? 'would go' : 'gone'], rows),
    ...(unseenAds === null
      ? []
      : [`Ads that nobody refers to ${isDryRun ? 'then' : 'any more'}: ${countsText({ ...unseenAds })}.`]),
    ...(adsLeft
      ? ['Some of those stay for now, because workers may be at them: the next purge tries again.']
      : []),
    ...(keptForEver.length === 0
      ? []
      : [`Kept for ever: ${keptForEver.join(', ')}. --older-than, or a setting for each, says otherwise.`]),
    isDryRun ? 'Nothing was changed. The ledger stays in any case.' : 'The ledger stays.',
  ].join('\n');
}

/** `3 batches, 5000 rows`, without what is none. */
function countsText(counts: PurgeCounts): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return some.length === 0 ? 'nothing' : some.map(([name, count]) => `${count} ${name}`).join(', ');
}
