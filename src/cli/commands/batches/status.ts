import { formatCredits } from '../../../core/credits/credits.ts';
import { toBatchBody, toBatchListBody } from '../../../api/v1/batches/batch-body.ts';
import { batchText } from './batch-view.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

const batchesListed = 20;

/** Shows one batch, or lists the newest ones. */
export const status: Command<[string | undefined], object> = async ({ app, output }, _options, publicId) => {
  const {
    batches: { store: batches },
    accounts: { defaultId: accountId },
  } = await app();
  if (publicId !== undefined) {
    const batch = await batches.readSummary(accountId, publicId);
    output.result(toBatchBody(batch), () => output.wrapped(batchText(batch)));
    return exitCodes.done;
  }
  const found = await batches.listSummaries(accountId, batchesListed + 1);
  const list = found.slice(0, batchesListed);
  output.result(toBatchListBody(found, batchesListed), () =>
    list.length === 0
      ? 'No batches yet. Create one with: nightshift enrich FILE'
      : formatTable(
          ['batch', 'file', 'state', 'rows', 'companies', 'found', 'failed', 'open', 'credits'],
          list.map(({ publicId, fileName, state, rows, lookups, chargedMicro }) => [
            publicId,
            fileName,
            state,
            rows.total,
            lookups.total,
            lookups.found,
            lookups.failed,
            lookups.open,
            formatCredits(chargedMicro),
          ]),
          output.tableColumns(),
        ),
  );
  return exitCodes.done;
};
