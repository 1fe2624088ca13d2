import type { components } from '../../../../examples/typescript-client/schema.ts';
import { formatCounted } from '../../components/format.ts';

type Entry = components['schemas']['TimelineEntry'];

const words: Readonly<Record<Entry['event'], string>> = {
  created: 'Handed in',
  loaded: 'Read in whole; it may run',
  paused: 'Paused',
  resumed: 'Went on',
  waiting_for_credits: 'Began to wait for credits',
  waiting_for_source: 'Began to wait for its source',
  retried: 'Tried again',
  finished: 'Finished',
  cancelled: 'Cancelled',
};

/** An entry of a timeline, in plain words: what happened, by whom, and why. */
export function entryLabels({ event, by, by_name: name, reason, retried }: Entry): string {
  const what =
    retried === null ? words[event] : `${words[event]}: ${formatCounted(retried, 'failed lookup')}`;
  const who = by === null ? '' : ` by ${name ?? (by === 'cli' ? 'the command line' : by)}`;
  const why = reason === null || reason === 'by request' ? '' : `: ${reasonLabels(reason)}`;
  return `${what}${who}${why}`;
}

/** Reasons name the options of the command line; a page has other words for them. */
function reasonLabels(reason: string): string {
  return reason.replace(/ \(--[\w-]+\)/g, '');
}
