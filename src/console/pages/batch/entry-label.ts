import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCounted } from '../../components/format.ts';

type Entry = components['schemas']['TimelineEntry'];

const eventLabels: Readonly<Record<Entry['event'], string>> = {
  created: 'Created',
  loaded: 'File read, queued',
  paused: 'Paused',
  resumed: 'Resumed',
  waiting_for_credits: 'Waiting for credits',
  waiting_for_source: 'Waiting for source',
  retried: 'Retried',
  finished: 'Finished',
  cancelled: 'Cancelled',
};

/** Describes an entry of a timeline: the event, who caused it, and the reason. */
export function entryLabel({ event, by, by_name: name, reason, retried }: Entry): string {
  const action =
    retried === null ? eventLabels[event] : `${eventLabels[event]}: ${formatCounted(retried, 'lookup')}`;
  const actor = by === null ? '' : ` by ${name ?? (by === 'cli' ? 'the command line' : by)}`;
  const cause = reason === null || reason === 'by request' ? '' : `: ${withoutOptions(reason)}`;
  return `${action}${actor}${cause}`;
}

/** Removes the command-line options that reasons name. */
function withoutOptions(reason: string): string {
  return reason.replace(/ \(--[\w-]+\)/g, '');
}
