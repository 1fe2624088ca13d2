import type { MissedTicksPayload } from '../event-payload.ts';
import type { Message } from './message.ts';
import { chosenNameText, commandName, counted, timeText } from './text.ts';

/** Message about scans that did not start when they were due. */
export function missedMessage(
  { schedule, missed, first, last, isCaughtUp }: MissedTicksPayload,
  timeZone: string | null,
): Message {
  const since = missed === 1 ? '' : `${timeText(first, timeZone)} to `;
  const rest = isCaughtUp ? 'One scan was started for all of them' : 'No scan was started for them';
  return {
    headline: `${counted(missed, 'scan')} of "${chosenNameText(schedule)}" did not start when due`,
    fields: [
      { label: 'Due', text: `${since}${timeText(last, timeZone)}` },
      { label: 'Now', text: `${rest}. Keep \`nightshift up\` or \`nightshift work\` running` },
    ],
    steps: [
      { what: 'Find the cause', command: 'nightshift doctor' },
      ...(isCaughtUp
        ? []
        : [{ what: 'Scan now', command: `nightshift schedule run ${commandName(schedule)}` }]),
    ],
  };
}
