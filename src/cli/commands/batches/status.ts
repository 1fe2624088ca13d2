import { toBatchBody, toBatchListBody } from '../../../api/v1/batches/batch-body.ts';
import { batchNameText, batchText } from './batch-view.ts';
import { landingLine } from '../destinations/destination-view.ts';
import { chooseAccount, type AccountOptions } from '../../context/choose-account.ts';
import { chooseBatch } from '../../context/choose-batch.ts';
import type { Command } from '../../context/command-context.ts';
import type { BatchOriginKind } from '../../../core/batches/batch-origin.ts';
import type { BatchFilter } from '../../../core/batches/batch-store.ts';
import type { BatchState } from '../../../core/batches/batch.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { amountText } from '../../terminal/credits-text.ts';
import { formatTable } from '../../terminal/format-table.ts';

const batchesListed = 20;

/** Filters of the list. */
interface StatusOptions extends AccountOptions {
  readonly search?: string;
  readonly tag?: string;
  readonly state?: BatchState;
  readonly origin?: BatchOriginKind;
  readonly owner?: string;
  readonly archived?: boolean;
}

/** Shows one batch, or lists the newest ones. */
export const status: Command<[string | undefined], StatusOptions> = async (context, options, name) => {
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
  const filter = filterOf(options);
  const found = await batches.listSummaries(accountId, batchesListed + 1, undefined, filter);
  const counts = await batches.countBatches(accountId, filter);
  const list = found.slice(0, batchesListed);
  output.result(toBatchListBody(found, batchesListed, counts), () =>
    list.length === 0
      ? output.commands(
          Object.keys(filter).length === 0
            ? 'No batches yet. Create one with: nightshift enrich FILE'
            : 'No batch matches. List all with: nightshift status',
        )
      : formatTable(
          [
            'batch',
            { title: 'name', hide: 3 },
            'state',
            { title: 'rows', hide: 1 },
            { title: 'companies', hide: 2 },
            'found',
            { title: 'failed', hide: 5 },
            { title: 'open', hide: 4 },
            'credits',
          ],
          list.map((batch) => [
            batch.publicId,
            batchNameText(batch),
            batch.state,
            batch.rows.total,
            batch.lookups.total,
            batch.lookups.found,
            batch.lookups.failed,
            batch.lookups.open,
            amountText(batch.chargedMicro),
          ]),
          output.tableColumns(),
        ),
  );
  return exitCodes.done;
};

function filterOf({ search, tag, state, origin, owner, archived }: StatusOptions): BatchFilter {
  return {
    ...(search === undefined ? {} : { search }),
    ...(tag === undefined ? {} : { tag }),
    ...(state === undefined ? {} : { states: [state] }),
    ...(origin === undefined ? {} : { origin }),
    ...(owner === undefined ? {} : { owner }),
    ...(archived === true ? { archived: 'only' } : {}),
  };
}
