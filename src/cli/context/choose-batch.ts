import { candidatesRead, chooseOnly } from '../../core/batches/named-batch.ts';
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
