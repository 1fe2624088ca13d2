import { toSourceBody } from '../../../api/v1/sources/schema.ts';
import type { SourceState } from '../../../core/sources/state/source-state.ts';
import type { Command } from '../../context/command-context.ts';
import { exitCodes } from '../../context/exit-codes.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Lists every source: whether it is configured, and how its adapter was tested. */
export const sources: Command<[], object> = async ({ app, output }) => {
  const states = await (await app()).sources.states();
  output.result({ sources: states.map((state) => toSourceBody(state, { isOperators: true })) }, () =>
    [tableOf(states, output.tableColumns()), ...states.flatMap(({ lacks }) => lacks ?? [])].join('\n'),
  );
  return exitCodes.done;
};

function tableOf(states: readonly SourceState[], columnsMax: number): string {
  return formatTable(
    [
      'source',
      'state',
      { title: 'price', hide: 2 },
      { title: 'tested against recordings', hide: 1 },
      { title: 'checked live', hide: 3 },
    ],
    states.map((state) => [
      state.id,
      stateText(state),
      priceText(state),
      shapeText(state),
      state.checkedShape === null ? 'local data' : liveText(state),
    ]),
    columnsMax,
  );
}

function stateText({ lacks, pause, isDefault }: SourceState): string {
  if (lacks !== null) return 'not set up';
  if (pause !== null) return `paused: ${pause.kind}`;
  return isDefault ? 'ready, default' : 'ready';
}

function priceText({ charges, price }: SourceState): string {
  if (price !== null) return `${price.amount} ${price.currency} per ${price.unit}`;
  return charges ? 'not set' : 'free';
}

function shapeText({ checkedShape, checkedBy }: SourceState): string {
  if (checkedShape === null) return 'local data';
  if (checkedShape) return 'yes';
  return checkedBy === null ? 'no' : `by ${checkedBy}`;
}

function liveText({ checkedShape, checkedLive: check }: SourceState): string {
  if (check === null) return 'no';
  const summary = `${check.checkedAt.toISOString().slice(0, 10)}: ${check.outcome}`;
  const differences = check.missing.length + check.added.length;
  if (differences > 0) return `${summary}, ${differences} keys differ`;
  const isAsRecorded = check.outcome === 'found' && checkedShape === true;
  return isAsRecorded ? `${summary}, as recorded` : summary;
}
