import { toBatchBody, toBatchListBody } from '../../../api/v1/batches/batch-body.ts';
import { batchFileText, batchText } from './batch-view.ts';
import { landingLine } from '../destinations/destination-view.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { amountText } from '../../terminal/credits-text.ts';
import { formatTable } from '../../terminal/format-table.ts';

const batchesListed = 20;

/** Shows one batch, or lists the newest ones. */
export const status: Command<[string | undefined], AccountOptions> = async (context, options, name) => {
  const { app, output } = context;
  const {
    batches: { store: batches },
    destinations: { service: destinations },
  } = await app();
  if (name !== undefined) {
    const { accountId, publicId } = await chooseBatch(context, options, name);
    const batch = await batches.readSummary(accountId, publicId);
    const landings = await destinations.listOfBatch(batch.batchId);
    output.result(toBatchBody(batch), () =>
      [batchText(batch), ...landings.map((landing) => `Landing    ${landingLine(landing)}`)].join('\n'),
    );
    return exitCodes.done;
  }
  const { accountId } = await chooseAccount(context, options);
  const found = await batches.listSummaries(accountId, batchesListed + 1);
  const list = found.slice(0, batchesListed);
  output.result(toBatchListBody(found, batchesListed), () =>
    list.length === 0
      ? output.commands('No batches yet. Create one with: nightshift enrich FILE')
      : formatTable(
          [
            'batch',
            { title: 'file', hide: 3 },
            'state',
            { title: 'rows', hide: 1 },
            { title: 'companies', hide: 2 },
            'found',
            { title: 'failed', hide: 5 },
            { title: 'open', hide: 4 },
            'credits',
          ],
          list.map(({ publicId, state, rows, lookups, chargedMicro, ...file }) => [
            publicId,
            batchFileText(file),
            state,
            rows.total,
            lookups.total,
            lookups.found,
            lookups.failed,
            lookups.open,
            amountText(chargedMicro),
          ]),
          output.tableColumns(),
        ),
  );
  return exitCodes.done;
};
