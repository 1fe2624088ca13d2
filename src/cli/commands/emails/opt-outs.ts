import {
  parseOptOut,
  type ListedOptOut,
  type OptOut,
  type OptOuts,
} from '../../../core/emails/probing/opt-outs.ts';
import type { Command, CommandContext } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Lists opt-outs. For persons only a digest is stored. */
export const optOuts: Command<[], object> = async (context) => {
  const {
    lookups: { optOuts: known },
  } = await context.app();
  const listed = await known.list();
  context.output.result(listed, () =>
    listed.length === 0
      ? context.output.commands('No opt-outs yet. Add one with: nightshift opt-outs add DOMAIN')
      : optOutsTable(listed, context.output.tableColumns()),
  );
  return exitCodes.done;
};

function optOutsTable(listed: readonly ListedOptOut[], columnsMax: number): string {
  return formatTable(
    ['kind', 'domain or digest', 'since'],
    listed.map((optOut) => [
      optOut.kind,
      optOut.kind === 'domain' ? optOut.domain : `${optOut.digest.slice(0, 12)}…`,
      optOut.since,
    ]),
    columnsMax,
  );
}

/** Adds opt-outs: their addresses are no longer looked up, not even in DNS. */
export const addOptOuts: Command<[string[]], object> = async (context, _options, names) => {
  const added = await countChanged(context, names, (known, optOut) => known.add(optOut));
  const result = { added, known: names.length - added };
  context.output.result(result, () => `${added} added, ${result.known} already listed.`);
  return exitCodes.done;
};

/** Removes opt-outs. */
export const removeOptOuts: Command<[string[]], object> = async (context, _options, names) => {
  const removed = await countChanged(context, names, (known, optOut) => known.remove(optOut));
  const result = { removed, unknown: names.length - removed };
  context.output.result(result, () => `${removed} removed, ${result.unknown} not found.`);
  return exitCodes.done;
};

/** Applies a change to each name and counts the effective ones. Parses all names before the first change. */
async function countChanged(
  { app }: CommandContext,
  names: readonly string[],
  change: (known: OptOuts, optOut: OptOut) => Promise<boolean>,
): Promise<number> {
  const optOutsToChange = names.map(parseOptOut);
  const {
    lookups: { optOuts: known },
  } = await app();
  let changed = 0;
  for (const optOut of optOutsToChange) changed += Number(await change(known, optOut));
  return changed;
}
