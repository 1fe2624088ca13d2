import { parseAddress } from '../../../core/emails/syntax/address.ts';
import { emailReasons } from '../../../core/emails/reasons.ts';
import { ValidationError } from '../../../core/errors.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';

/** Forgets a person in everything that is stored. */
export const forget: Command<[string], object> = async (context, _options, text) => {
  const parsed = parseAddress(text);
  if (parsed.kind === 'invalid') {
    throw new ValidationError(
      `${JSON.stringify(text)} is no e-mail address: ${emailReasons[parsed.reason].message}`,
    );
  }
  const {
    lookups: { erasure },
  } = await context.app();
  const forgotten = await erasure.erase(parsed.address);
  context.output.result(
    forgotten,
    () =>
      `Forgotten in ${forgotten.lookups} lookups, ${forgotten.rows} rows and the lists of ${forgotten.schedules} schedules; ` +
      `${forgotten.webhooks} webhooks that wrote there are removed. The ledger stays; answers that are kept for a repeat ` +
      'of a request go within 24 hours. Files that were exported before are yours to delete.',
  );
  return exitCodes.done;
};
