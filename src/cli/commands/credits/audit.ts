import { readAge } from '../../../core/time/parse-age.ts';
import { counted } from '../../../core/events/messages/text.ts';
import type { BillLine, DriftingCall } from '../../../core/sources/source-bill.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Maximum number of calls in the output whose charge differs from the price. */
const shownMax = 20;

/** Compares the charges of the sources with their prices. Exits 1 if they differ for any call. */
export const audit: Command<[], { readonly since?: string }> = async ({ app, output }, { since }) => {
  const ageMsMax = since === undefined ? null : readAge(since, '--since');
  const {
    sources: { bill },
  } = await app();
  const lines = await bill.read(ageMsMax);
  const drifting = await bill.listDrifting(ageMsMax, shownMax);
  output.result({ sources: lines.map(lineJson), drifting }, () =>
    [
      output.commands(billText(lines, output.tableColumns())),
      ...(drifting.length === 0
        ? []
        : ['', output.commands(driftNote), driftTable(drifting, output.tableColumns())]),
    ].join('\n'),
  );
  return drifting.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

/** Converts a line to its form in `--json`: amounts are numbers; the text output is exact. */
function lineJson({ expected, charged, chargedExpected, inDoubt, ...line }: BillLine) {
  return {
    ...line,
    expected: Number(expected),
    charged: charged === null ? null : Number(charged),
    chargedExpected: Number(chargedExpected),
    inDoubt: Number(inDoubt),
  };
}

function billText(lines: readonly BillLine[], columnsMax: number): string {
  if (lines.length === 0)
    return 'No billable calls yet. Sources with a price charge them; list the prices with: nightshift prices';
  return formatTable(
    ['source', 'calls', 'expected', 'charged', 'in doubt, at most', 'currency'],
    lines.map((line) => [
      line.source,
      line.calls,
      line.expected,
      line.charged ?? 'not reported',
      line.callsInDoubt === 0 ? 0 : `${line.inDoubt} (${counted(line.callsInDoubt, 'call')})`,
      line.currency,
    ]),
    columnsMax,
  );
}

const driftNote =
  'Charges that differ from the price book. Either the source has new prices (`nightshift prices source NAME AMOUNT`), or its bill is wrong:';

function driftTable(drifting: readonly DriftingCall[], columnsMax: number): string {
  return formatTable(
    [
      'call',
      { title: 'source', hide: 2 },
      { title: 'sent', hide: 1 },
      'expected',
      'charged',
      { title: 'currency', hide: 3 },
    ],
    drifting.map((call) => [
      call.callId,
      call.source,
      call.sentAt,
      call.expected,
      call.charged,
      call.currency,
    ]),
    columnsMax,
  );
}
