import type { BatchPayload } from '../event-payload.ts';
import type { Message } from './message.ts';
import { counted, countsOf, creditsText, chosenNameText } from './text.ts';

/** Message about a batch that is finished or waits, with its results so far. */
export function batchMessage(payload: BatchPayload): Message {
  const { rows, outcomes, credits } = payload;
  const rejected = rows.rejected === 0 ? '' : `, of which ${rows.rejected.toLocaleString('en-US')} rejected`;
  const ended = countsOf([
    [outcomes.found, 'found'],
    [outcomes.none, 'without ads'],
    [outcomes.noMatch, 'not identified'],
    [outcomes.completed, 'addresses validated'],
    [outcomes.failed, 'failed'],
    [outcomes.cancelled, 'cancelled'],
    [outcomes.open, 'open'],
  ]);
  return {
    headline: headlineOf(payload),
    fields: [
      { label: 'Batch', text: payload.batch },
      { label: 'Rows', text: `${rows.total.toLocaleString('en-US')}${rejected}` },
      ...(ended === '' ? [] : [{ label: 'Lookups', text: ended }]),
      { label: 'Credits', text: `${creditsText(credits.spent)} spent, ${creditsText(credits.left)} left` },
    ],
    steps: stepsOf(payload),
  };
}

function headlineOf({ event, fileName, reason, outcomes }: BatchPayload): string {
  const batch = `"${chosenNameText(fileName)}"`;
  switch (event) {
    case 'batch.completed':
      return `${batch} is finished`;
    case 'batch.failed':
      return `${batch} is finished, and ${outcomes.total === 1 ? 'its lookup' : `all of its ${outcomes.total.toLocaleString('en-US')} lookups`} failed`;
    case 'batch.waiting_for_credits':
      return `${batch} waits for credits${reason === null ? '' : `: ${chosenNameText(reason)}`}`;
  }
}

function stepsOf({ event, batch, reason, outcomes }: BatchPayload): Message['steps'] {
  if (event === 'batch.waiting_for_credits') return [waitingStep(batch, reason)];
  if (outcomes.failed === 0) return [];
  return [
    {
      what: `Try the ${outcomes.failed === 1 ? 'failed lookup' : counted(outcomes.failed, 'failed lookup')} again`,
      command: `nightshift retry ${batch}`,
    },
  ];
}

/** A batch with its own budget names the option in its reason; any other batch waits for the balance. */
function waitingStep(batch: string, reason: string | null): Message['steps'][number] {
  return reason?.includes('--max-credits') === true
    ? { what: 'Raise its budget', command: `nightshift resume ${batch} --max-credits CREDITS` }
    : {
        what: 'It continues after a grant',
        command: 'nightshift credits grant 100 --reason "more companies"',
      };
}
