import { readAge } from '../../../core/time/parse-age.ts';
import type { BillLine, DriftingCall } from '../../../core/sources/source-bill.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/output.ts';

/** Calls that drift which are shown one by one. */
const shownMax = 20;

/** Shows the charges of the sources beside the amounts of their price book. Exit 1 when the two differ for any call. */
export const audit: Command<[], { readonly since?: string }> = async ({ app, output }, { since }) => {
  const ageMsMax = since === undefined ? null : readAge(since, '--since');
  const {
    sources: { bill },
  } = await app();
  const lines = await bill.read(ageMsMax);
  const drifting = await bill.listDrifting(ageMsMax, shownMax);
  output.result({ sources: lines.map(lineJson), drifting }, () =>
    [billText(lines), ...(drifting.length === 0 ? [] : ['', driftText(drifting)])].join('\n'),
  );
  return drifting.length === 0 ? exitCodes.done : exitCodes.someFailed;
};

/** Amounts as numbers; the text is exact. */
function lineJson({ expected, charged, chargedExpected, inDoubt, ...line }: BillLine) {
  return {
    ...line,
    expected: Number(expected),
    charged: charged === null ? null : Number(charged),
    chargedExpected: Number(chargedExpected),
    inDoubt: Number(inDoubt),
  };
}

function billText(lines: readonly BillLine[]): string {
  if (lines.length === 0) return 'No call to a source that charges is on record.';
  return formatTable(
    ['source', 'calls', 'by its price book', 'as it says', 'in doubt, at most', ''],
    lines.map((line) => [
      line.source,
      line.calls,
      line.expected,
      line.charged ?? 'says nothing',
      line.callsInDoubt === 0 ? 0 : `${line.inDoubt} (${line.callsInDoubt} calls)`,
      line.currency,
    ]),
  );
}

function driftText(drifting: readonly DriftingCall[]): string {
  return [
    'Charged otherwise than the price book says. Either the source has new prices (`nightshift prices source NAME AMOUNT`), or the bill is wrong:',
    formatTable(
      ['call', 'source', 'sent', 'by its price book', 'as it says', ''],
      drifting.map((call) => [
        call.callId,
        call.source,
        call.sentAt,
        call.expected,
        call.charged,
        call.currency,
      ]),
    ),
  ].join('\n');
}
