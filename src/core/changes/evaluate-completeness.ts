import { haveSourceInCommon, type Completeness, type Observation } from './observation.ts';
import { countActive, type TrackedState } from './tracked-ad.ts';

/**
 * Evaluates the completeness of an observation. Ads that were found: as much as the answer says of its own extent. Nothing found where ads
 * ran a moment ago is an outage more often than a fact (an age gate, a source that answers success and an empty list): it is believed once
 * the same source says so at a second look in a row, and does not count before. A company that nobody could identify was not looked at. An
 * answer that is shown again confirms nothing: `isRepeat`.
 */
export function evaluateCompleteness(
  observation: Observation,
  before: TrackedState | null,
  isRepeat: boolean,
): Completeness {
  switch (observation.outcome) {
    case 'found':
      if (observation.partial) return 'partial';
      return observation.truncated ? 'truncated' : 'complete';
    case 'none':
      return isConfirmed(observation, before, isRepeat) ? 'complete' : 'unconfirmed_empty';
    case 'no_match':
      return 'unconfirmed_empty';
  }
}

function isConfirmed({ sources }: Observation, before: TrackedState | null, isRepeat: boolean): boolean {
  if (before === null || countActive(before.ads) === 0) return true;
  const { lastOutcome, lastSources } = before.company;
  return lastOutcome === 'none' && !isRepeat && haveSourceInCommon(sources, lastSources);
}
