import { parseAddress } from '../../../core/emails/syntax/address.ts';
import { emailReasons } from '../../../core/emails/reasons.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Erases a person from all stored data. */
export const erase: Command<[string], object> = async (context, _options, text) => {
  const parsed = parseAddress(text);
  if (parsed.kind === 'invalid') {
    throw new ValidationError(
      `Invalid e-mail address ${JSON.stringify(text)}: ${emailReasons[parsed.reason].words}`,
    );
  }
  const {
    lookups: { erasure },
  } = await context.app();
  const erased = await erasure.forget(parsed.address);
  context.output.result(
    erased,
    () =>
      `Erased from ${erased.lookups} lookups, ${erased.rows} rows and the files of ${erased.schedules} schedules; ` +
      `removed ${erased.webhooks} webhooks to this address. The ledger is kept. Responses stored for idempotency keys ` +
      'expire within 24 hours. Delete files that you exported earlier yourself.',
  );
  return exitCodes.done;
};
