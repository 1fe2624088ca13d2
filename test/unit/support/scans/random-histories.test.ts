import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, History, Look } from '../../../support/scans/history.ts';
import { randomHistories } from '../../../support/scans/random-histories.ts';
import { judgeHistory } from '../../../support/scans/reference-model.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

const histories = 1_000;

test('random histories come to every kind of look and change, to retries in time and too late, and to answers shown again', () => {
  const sample = fc.sample(randomHistories({ retries: true }), {
    seed: takeSeedNumber(),
    numRuns: histories,
  });
  const met = sample.map(whatHappens);
  const timesMet = (event: string) => met.filter((events) => events.has(event)).length;
  const rare = everyEvent.filter((event) => timesMet(event) < histories / 250);
  expect(rare).toEqual([]);
});

const everyEvent = [
  ...['complete found', 'truncated found', 'partial found', 'complete none', 'unconfirmed_empty none'],
  ...[
    'unconfirmed_empty no_match',
    'no_match before the baseline',
    'null failed',
    'null cancelled',
    'null open',
  ],
  ...['baseline first_scan', 'baseline missed_earlier', 'baseline long_ago', 'new', 'reactivated', 'changed'],
  ...['ended not_seen', 'ended not_seen by many', 'ended last_seen_long_ago'],
  ...['heard again in time', 'heard again too late', 'an ad with four changes', 'edited'],
  ...['shown again complete', 'shown again truncated', 'shown again unconfirmed_empty'],
  ...['complete none of several sources', 'complete found of a data set', 'complete found otherwise asked'],
  ...['an ad ended unseen by last_seen_long_ago', 'an ad missed by two sources', 'ended on more than enough'],
];

function whatHappens({ looks, settings }: History): ReadonlySet<string> {
  const { changes, looks: judged } = judgeHistory(looks, settings);
  const isRetry = looks.map(({ scan }, i) => looks.findIndex((look) => look.scan === scan) < i);
  const timesChanged = (ad: number) => changes.filter((change) => change.ad === ad).length;
  return new Set([
    ...judged.map(({ completeness }, i) => `${completeness} ${looks[i]?.outcome}`),
    ...judged.map(({ completeness }, i) => `${completeness} ${describeSources(looks[i])}`),
    ...judged
      .filter((_, i) => isShownAgain(looks, i))
      .map(({ completeness }) => `shown again ${completeness}`),
    ...(looks.some(({ edited }) => edited !== null) ? ['edited'] : []),
    ...judged
      .slice(
        0,
        Math.max(
          judged.findIndex(({ isBaseline }) => isBaseline),
          0,
        ),
      )
      .flatMap((_, i) => (looks[i]?.outcome === 'no_match' ? ['no_match before the baseline'] : [])),
    ...changes.map(describeKind),
    ...changes.map((change) => describeEnd(change, looks)),
    ...changes
      .filter(({ restsOn }) => restsOn.length > settings.missesToEnd)
      .map(() => 'ended on more than enough'),
    ...judged
      .filter((_, i) => isRetry[i])
      .map((look) => `heard again ${look.completeness === null ? 'too late' : 'in time'}`),
    ...changes.filter(({ ad }) => timesChanged(ad) > 3).map(() => 'an ad with four changes'),
  ]);
}

function describeKind({ kind, reason, restsOn }: Change): string {
  return `${kind}${reason === null ? '' : ` ${reason}`}${restsOn.length > 1 ? ' by many' : ''}`;
}

function describeSources(look: Look | undefined): string {
  const [source = 'nobody', ...others] = look?.sources ?? [];
  if (others.length > 0) return `${look?.outcome} of several sources`;
  if (source.startsWith('s')) return `${look?.outcome} of a data set`;
  return `${look?.outcome}${source.includes('?') ? ' otherwise asked' : ''}`;
}

function isShownAgain(looks: readonly Look[], i: number): boolean {
  const [look] = looks.slice(i);
  return looks.slice(0, i).some((one) => one.outcome === 'found' && one.observedAt === look?.observedAt);
}

function describeEnd({ ad, reason, scan, restsOn }: Change, looks: readonly Look[]): string {
  const restingOn = looks.filter((look) => restsOn.includes(look.scan));
  const isShown = restingOn.some((look) => look.scan === scan && look.ads.some((seen) => seen.ad === ad));
  if (reason === 'last_seen_long_ago' && !isShown) return 'an ad ended unseen by last_seen_long_ago';
  const sources = new Set(
    restingOn.filter(({ sources: all }) => all.length === 1).flatMap((look) => look.sources),
  );
  return reason === 'not_seen' && sources.size > 1 ? 'an ad missed by two sources' : '';
}
