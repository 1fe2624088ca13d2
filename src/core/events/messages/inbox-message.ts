import type { FailedFilePayload, FailingInboxPayload } from '../event-payload.ts';
import type { Message } from './message.ts';
import { chosenNameText, commandName, timeText } from './text.ts';

/** Message about a file that did not become a batch. */
export function failedFileMessage({ inbox, file, reason }: FailedFilePayload): Message {
  return {
    headline: `"${chosenNameText(file)}" of the inbox "${chosenNameText(inbox)}" was not loaded`,
    fields: [{ label: 'Reason', text: reasonText(reason) }],
    steps: [
      {
        what: 'List the failed files',
        command: `nightshift inbox files ${commandName(inbox)} --state failed`,
      },
    ],
  };
}

/** Message about an inbox that cannot be looked into. */
export function failingInboxMessage(
  { inbox, reason, since }: FailingInboxPayload,
  timeZone: string | null,
): Message {
  return {
    headline: `The inbox "${chosenNameText(inbox)}" cannot be reached`,
    fields: [
      { label: 'Since', text: timeText(since, timeZone) },
      { label: 'Reason', text: reasonText(reason) },
    ],
    steps: [
      { what: 'Look again after the cause is fixed', command: `nightshift inbox look ${commandName(inbox)}` },
    ],
  };
}

const reasonCharsMax = 500;

/** A reason can quote a file, which is untrusted: each word is shown as a name. */
function reasonText(reason: string): string {
  const words = reason.slice(0, reasonCharsMax).split(/\s+/);
  return words.map(chosenNameText).join(' ').trim();
}
