import type { Body } from '../api/client.ts';
import { Badge } from './badge.tsx';

type State = Body<'Batch'>['state'];

const stateLabels: Readonly<
  Record<State, readonly [tone: 'good' | 'bad' | 'warm' | 'cool' | 'plain', name: string]>
> = {
  loading: ['plain', 'Loading'],
  running: ['cool', 'Running'],
  paused: ['warm', 'Paused'],
  waiting_for_credits: ['warm', 'Waiting for credits'],
  waiting_for_source: ['warm', 'Waiting for source'],
  finished: ['good', 'Finished'],
  cancelled: ['plain', 'Cancelled'],
};

/** States with their names, for a filter. */
export const batchStateNames = Object.entries(stateLabels).map(([value, [, name]]) => ({
  value: value as State,
  name,
}));

/** Badge of a batch's state. */
export function BatchState({ state }: { readonly state: State }) {
  const [tone, name] = stateLabels[state];
  return <Badge tone={tone}>{name}</Badge>;
}

/** True when a batch in this state has ended. */
export function isEnded(state: State): boolean {
  return state === 'finished' || state === 'cancelled';
}
