import type {
  Change,
  History,
  Evaluation,
  EvaluatedObservation,
  Observation,
  ScanSettings,
  SeenAd,
} from './history.ts';

/** Formats a history for a failing test, one line per observation. */
export function describeHistory({ settings, observations }: History): string {
  return ['', describeSettings(settings), ...observations.map(describeObservation), ''].join('\n');
}

/**
 * Formats an evaluation, one line per observation, such as `3 complete: 1 ended not_seen [2 3]`: the scans behind a change are
 * listed if they are not only its own.
 */
export function describeJudgement({ observations, changes }: Evaluation): readonly string[] {
  // Of a scan with two observations only one counts, and has the changes.
  return observations.map((observation) =>
    describeEvaluated(
      observation,
      changes.filter(({ scan }) => scan === observation.scan),
    ),
  );
}

function describeEvaluated({ scan, completeness }: EvaluatedObservation, changes: readonly Change[]): string {
  if (completeness === null) return `${scan} nothing`;
  const texts = changes.map(describeChange);
  return `${scan} ${completeness}${texts.length > 0 ? ': ' : ''}${texts.join(', ')}`;
}

function describeChange({ scan, ad, kind, reason, restsOn, version, versionBefore }: Change): string {
  return [
    ad,
    kind,
    ...(reason === null ? [] : [reason]),
    ...(versionBefore === null ? [] : [`${versionBefore} to ${version}`]),
    ...(restsOn.join() === String(scan) ? [] : [`[${restsOn.join(' ')}]`]),
  ].join(' ');
}

function describeSettings({ missesToEnd, staleDays }: ScanSettings): string {
  return `${missesToEnd} complete misses end an ad, ${staleDays} days without being seen make it stale`;
}

function describeObservation(observation: Observation): string {
  const { scan, outcome, sources, observedAt, ads, othersLastSeen, edited } = observation;
  const extent = [observation.truncated ? ' truncated' : '', observation.partial ? ' partial' : ''].join('');
  const others = Object.entries(othersLastSeen).map(
    ([source, day]) => `, others seen to ${day} in ${source}`,
  );
  const reported = ads.length === 0 ? '' : `: ${ads.map(describeAd).join('; ')}`;
  const edit = edited === null ? '' : `${describeSettings(edited)}\n`;
  return `${edit}scan ${scan} ${observedAt} ${sources.join('+')} ${outcome}${extent}${others.join('')}${reported}`;
}

function describeAd({ ad, hasIds, version, observation, start, lastSeen }: SeenAd): string {
  return `${ad}${hasIds ? '' : ' without ids'} look ${observation} v${version} ${start ?? '?'}..${lastSeen ?? '?'}`;
}
