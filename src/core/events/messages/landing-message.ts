import type { FailedLandingPayload } from '../event-payload.ts';
import type { Message } from './message.ts';
import { chosenNameText, commandName, counted } from './text.ts';

/** Message about a landing that was given up. */
export function landingMessage(payload: FailedLandingPayload): Message {
  const { destination, batch, fileName, shape, attempts, error } = payload;
  return {
    headline: `The results of "${chosenNameText(fileName)}" did not land in "${chosenNameText(destination)}"`,
    fields: [
      { label: 'Batch', text: batch },
      { label: 'Shape', text: shape },
      { label: 'Error', text: chosenNameText(error) },
      { label: 'Attempts', text: counted(attempts, 'attempt') },
    ],
    steps: [
      {
        what: 'Fix the cause, then land it again',
        command: `nightshift destination replay ${commandName(destination)} --batch ${batch}`,
      },
    ],
  };
}
