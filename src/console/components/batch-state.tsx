import type { Body } from '../api/client.ts';
import { Badge } from './badge.tsx';

type State = Body<'Batch'>['state'];

const words: Readonly<
  Record<State, readonly [tone: 'good' | 'bad' | 'warm' | 'cool' | 'plain', name: string]>
> = {
  loading: ['plain', 'Being read in'],
  running: ['cool', 'Running'],
  paused: ['warm', 'Paused'],
  waiting_for_credits: ['warm', 'Waits for credits'],
  waiting_for_source: ['warm', 'Waits for its source'],
  finished: ['good', 'Finished'],
  cancelled: ['plain', 'Cancelled'],
};

/** Badge of a batch's state. */
export function BatchState({ state }: { readonly state: State }) {
  const [tone, name] = words[state];
  return <Badge tone={tone}>{name}</Badge>;
}

/** True when a batch in this state changes no more by itself. */
export function isOver(state: State): boolean {
  return state === 'finished' || state === 'cancelled';
}
