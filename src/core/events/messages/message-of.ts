import type { EventPayload } from '../event-payload.ts';
import { batchMessage } from './batch-message.ts';
import { failedFileMessage, failingInboxMessage } from './inbox-message.ts';
import { landingMessage } from './landing-message.ts';
import type { Message } from './message.ts';
import { missedMessage } from './missed-message.ts';
import { scanMessage } from './scan-message.ts';
import { creditsText, chosenNameText } from './text.ts';

/** Message for a payload. `timeZone` is that of its schedule; null without one. */
export function messageOf(payload: EventPayload, timeZone: string | null): Message {
  switch (payload.event) {
    case 'scan.changes':
      return scanMessage(payload, timeZone);
    case 'schedule.missed':
      return missedMessage(payload, timeZone);
    case 'inbox.file_failed':
      return failedFileMessage(payload);
    case 'inbox.failing':
      return failingInboxMessage(payload, timeZone);
    case 'landing.failed':
      return landingMessage(payload);
    case 'credits.low':
      return {
        headline: `Credits run low: ${creditsText(payload.balance)} left, below ${creditsText(payload.threshold)}`,
        fields:
          payload.held === 0
            ? []
            : [{ label: 'Held', text: `${creditsText(payload.held)} for open lookups` }],
        steps: [{ what: 'Add some', command: 'nightshift credits grant 100 --reason "more companies"' }],
      };
    case 'test':
      return {
        headline: `A test of "${chosenNameText(payload.webhook)}": events of Nightshift arrive here`,
        fields: [],
        steps: [],
      };
    case 'confirm':
      return {
        headline: 'Confirm that Nightshift may send you events',
        fields: [
          { label: 'Confirm', text: payload.url },
          {
            label: 'Or not',
            text: 'Otherwise ignore this message, and you receive nothing more. The link is valid for a week.',
          },
        ],
        steps: [],
      };
    default:
      return batchMessage(payload);
  }
}

/** Message for an event whose payload is not in the expected format: it still reports that the event happened. */
export function bareMessage(event: string, eventId: string): Message {
  return {
    headline: `Nightshift tells of ${event}`,
    fields: [{ label: 'Event', text: eventId }],
    steps: [],
  };
}
