import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Change, History } from '../../../support/scans/history.ts';
import { randomHistories } from '../../../support/scans/random-histories.ts';
import { judgeHistory } from '../../../support/scans/reference-model.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

const histories = 1_000;

test('random histories come to every kind of look and change, and to retries in time and too late', () => {
  const sample = fc.sample(randomHistories({ retries: true }), {
    seed: takeSeedNumber(),
    numRuns: histories,
  });
  const met = sample.map(whatHappens);
  const timesMet = (event: string) => met.filter((events) => events.has(event)).length;
  const rare = everyEvent.filter((event) => timesMet(event) < histories / 100);
  expect(rare).toEqual([]);
});

const everyEvent = [
  ...['complete found', 'truncated found', 'partial found', 'complete none', 'unconfirmed_empty none'],
  ...['unconfirmed_empty no_match', 'null no_match', 'null failed', 'null cancelled', 'null open'],
  ...['baseline first_scan', 'baseline missed_earlier', 'baseline long_ago', 'new', 'reactivated', 'changed'],
  ...['ended not_seen', 'ended not_seen by many', 'ended last_seen_long_ago'],
  ...['heard again in time', 'heard again too late', 'an ad with four changes'],
];

function whatHappens({ looks, settings }: History): ReadonlySet<string> {
  const { changes, looks: judged } = judgeHistory(looks, settings);
  const isRepeat = looks.map(({ scan }, i) => looks.findIndex((look) => look.scan === scan) < i);
  const timesChanged = (ad: number) => changes.filter((change) => change.ad === ad).length;
  return new Set([
    ...judged.map(({ completeness }, i) => `${completeness} ${looks[i]?.outcome}`),
    ...changes.map(describeKind),
    ...judged
      .filter((_, i) => isRepeat[i])
      .map((look) => `heard again ${look.completeness === null ? 'too late' : 'in time'}`),
    ...changes.filter(({ ad }) => timesChanged(ad) > 3).map(() => 'an ad with four changes'),
  ]);
}

function describeKind({ kind, reason, restsOn }: Change): string {
  return `${kind}${reason === null ? '' : ` ${reason}`}${restsOn.length > 1 ? ' by many' : ''}`;
}
