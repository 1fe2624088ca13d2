import type { EventPayload } from '../event-payload.ts';
import { batchMessage } from './batch-message.ts';
import type { Message } from './message.ts';
import { missedMessage } from './missed-message.ts';
import { scanMessage } from './scan-message.ts';
import { creditsText, chosenNameText } from './text.ts';

/** The news in words. `timeZone` is that of the schedule it is about; null where it is about none. */
export function messageOf(news: EventPayload, timeZone: string | null): Message {
  switch (news.event) {
    case 'scan.changes':
      return scanMessage(news, timeZone);
    case 'schedule.missed':
      return missedMessage(news, timeZone);
    case 'credits.low':
      return {
        headline: `Credits run low: ${creditsText(news.balance)} left, below ${creditsText(news.threshold)}`,
        fields:
          news.held === 0 ? [] : [{ label: 'Held', text: `${creditsText(news.held)} for open lookups` }],
        steps: [{ what: 'Add some', command: 'nightshift credits grant 100 --reason "more companies"' }],
      };
    case 'test':
      return {
        headline: `A test of "${chosenNameText(news.webhook)}": notices of Nightshift arrive here`,
        fields: [],
        steps: [],
      };
    case 'confirm':
      return {
        headline: 'Confirm that Nightshift may send you notices',
        fields: [
          { label: 'Confirm', text: news.url },
          {
            label: 'Or not',
            text: 'Do nothing, and nothing more is sent to you. The link is good for a week.',
          },
        ],
        steps: [],
      };
    default:
      return batchMessage(news);
  }
}

/** For a notice whose content is not as agreed: that it happened is told all the same. */
export function bareMessage(event: string, noticeId: string): Message {
  return {
    headline: `Nightshift tells of ${event}`,
    fields: [{ label: 'Notice', text: noticeId }],
    steps: [],
  };
}
