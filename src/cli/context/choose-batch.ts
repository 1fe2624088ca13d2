import type { NamedBatch } from '../../core/batches/named-batch.ts';
import { NotFound, ValidationError } from '../../core/errors.ts';
import { momentText } from '../../core/reports/days.ts';
import { visibleText } from '../../core/reports/visible-text.ts';
import { chooseAccount, type AccountOptions } from './choose-account.ts';
import type { CommandContext } from './command-context.ts';

/** Argument of a command for one batch, as `--help` describes it. */
export const batchArgument = 'batch: an id, the start of an id, the name of its file, or latest';

/** A batch and its account. */
export interface BatchOfAccount {
  readonly accountId: number;
  readonly publicId: string;
}

const wholeId = /^bat_[0-9a-f]{32}$/;

/** True for an argument that can only name a batch: an id, the start of one, or `latest`. */
export function isBatchOnly(name: string): boolean {
  return name === 'latest' || /^bat_[0-9a-f]{0,32}$/.test(name);
}

/**
 * Returns the batch that a person named: by its id, the start of its id, the name of its file, or `latest`.
 *
 * @throws NotFound
 * @throws ValidationError when several batches have the name; it lists them.
 */
export async function chooseBatch(
  context: CommandContext,
  options: AccountOptions,
  name: string,
): Promise<BatchOfAccount> {
  const { accountId } = await chooseAccount(context, options);
  if (wholeId.test(name)) return { accountId, publicId: name };
  const {
    batches: { store },
  } = await context.app();
  const { publicId } = chooseOnly(name, await store.findNamed(accountId, name, candidatesRead));
  return { accountId, publicId };
}

/** Number of batches to find for a name: one more than an error lists. */
const candidatesRead = 9;

/**
 * Returns the only candidate for a typed name.
 *
 * @throws NotFound when there is none.
 * @throws ValidationError when there are several; it lists the newest ones with their times.
 */
function chooseOnly(name: string, candidates: readonly NamedBatch[]): NamedBatch {
  const [only] = candidates;
  if (only === undefined) throw noBatchNamed(name);
  if (candidates.length === 1) return only;
  const shown = candidates.slice(0, candidatesRead - 1);
  throw new ValidationError(
    [
      `${JSON.stringify(visibleText(name))} is the name of ${candidates.length > shown.length ? `more than ${shown.length}` : candidates.length} batches. Use an id, or latest:`,
      ...shown.map(
        ({ publicId, name: file, state, createdAt }) =>
          `  ${publicId}  ${momentText(createdAt)}  ${state}  ${visibleText(file)}`,
      ),
    ].join('\n'),
  );
}

function noBatchNamed(name: string): NotFound {
  if (name === 'latest')
    return new NotFound('There are no batches yet. Create one with: nightshift enrich FILE');
  return new NotFound(
    `There is no batch ${visibleText(name)}. \`nightshift status\` lists all batches. Use an id, its beginning, the name of the file, or latest.`,
  );
}
