import type { Body } from '../../api/client.ts';

type Target = Body<'Webhook'>;
type Tone = 'good' | 'bad' | 'warm' | 'cool' | 'plain';

/** Event that a target can receive. */
export type EventName = Target['events'][number];

/** Labels of the events, in their order. */
export const eventLabels: Readonly<Record<EventName, string>> = {
  'scan.changes': 'A scan finished, with its changes',
  'schedule.missed': 'A scan did not start',
  'inbox.file_failed': 'A file of an inbox was not loaded',
  'inbox.failing': 'An inbox cannot be read',
  'batch.completed': 'A batch finished',
  'batch.failed': 'All lookups of a batch failed',
  'batch.waiting_for_credits': 'A batch waits for credits',
  'landing.failed': 'Results did not land in a destination',
  'credits.low': 'Credits are low',
};

/** All events. */
export const eventNames = Object.keys(eventLabels) as readonly EventName[];

/** Labels of the kinds of targets, mailboxes first. */
export const kindLabels: Readonly<Record<Target['kind'], string>> = {
  email: 'Mailbox',
  slack: 'Slack channel',
  webhook: 'Program (webhook)',
};

/** Label and tone of each state of a delivery. */
export const deliveryLabels: Readonly<
  Record<Body<'Delivery'>['state'], readonly [tone: Tone, name: string]>
> = {
  pending: ['cool', 'Pending'],
  delivered: ['good', 'Delivered'],
  dead: ['bad', 'Dead'],
};

/** Label and tone of the state of a target. */
export function targetState({ state, dead }: Target): readonly [tone: Tone, name: string] {
  if (state === 'unconfirmed') return ['warm', 'Not confirmed'];
  if (state !== 'active') return ['warm', 'Disabled'];
  return dead === 0 ? ['good', 'Active'] : ['bad', 'Deliveries are dead'];
}

/** Label of an event of a delivery; an unknown one is shown as is. */
export function eventLabel(event: string): string {
  return new Map<string, string>(Object.entries(eventLabels)).get(event) ?? event;
}

/** Lists the events of a target: "all", or their labels. */
export function eventsText(events: readonly EventName[]): string {
  if (events.length === eventNames.length) return 'All events';
  return events.map((event) => eventLabels[event]).join(' · ');
}
