import { median, rounded } from '../support/figures.ts';
import type { BenchResult } from '../support/table.ts';
import type { EmailFigures } from './figures.ts';
import { roundTripMs, type ProbingRun } from './probing.ts';
import { readerKinds, type ReaderKind } from './readers.ts';
import { mapReaders, mixKinds, type MixKind, type ReadingRound } from './reading.ts';

const readerTitles: Readonly<Record<ReaderKind, string>> = {
  ours: 'ours: syntax, normal forms, lists, typing errors',
  validator: 'validator: syntax',
  isemail: 'isemail: syntax',
  hapi_address: '@hapi/address: syntax',
};

const mixTitles: Readonly<Record<MixKind, string>> = {
  leads: 'a list of leads',
  distinct: 'every domain another',
};

/** Medians of the rounds, also of the ratios. */
export function emailResult({ host, addresses, probed, reading, taken, probing }: EmailFigures): BenchResult {
  const rate = (mix: MixKind, kind: ReaderKind) =>
    Math.round(addresses / median(reading[mix].map((round) => round[kind])));
  const times = (mix: MixKind, kind: ReaderKind) => timesOf(reading[mix], kind);
  const fastest = rounded(median(reading.leads.map(oursOverFastest)), 2);
  const fastestDistinct = rounded(median(reading.distinct.map(oursOverFastest)), 2);
  const shared = rounded(median(probing.map(({ together, apart }) => apart.seconds / together.seconds)), 2);
  const together = medianRun(probing.map((round) => round.together));
  const apart = medianRun(probing.map((round) => round.apart));
  return {
    name: 'email',
    head: ['', 'addresses', 'addresses/s', 'of ours'],
    rows: [
      ...mixKinds.flatMap((mix) =>
        readerKinds.map((kind) => [
          readerTitles[kind],
          mixTitles[mix],
          rate(mix, kind).toLocaleString('en'),
          times(mix, kind),
        ]),
      ),
      ['ours: mailboxes, sessions shared', `${together.sessions} sessions`, perSecond(together, probed), 1],
      [
        'ours: mailboxes, a session each',
        `${apart.sessions} sessions`,
        perSecond(apart, probed),
        rounded(1 / shared, 2),
      ],
    ],
    notes: [
      `Reading: ${addresses.toLocaleString('en')} addresses a list, a second of one core's time; medians of ${reading.leads.length} rounds, in turns, each with companies of its own.`,
      `Ours is ${fastest} times as fast as the fastest of the others in each round; ${fastestDistinct} times where no two addresses share a domain.`,
      `Taken for addresses, of the list of leads: ${readerKinds.map((kind) => `${kind} ${taken[kind].toLocaleString('en')}`).join(', ')}.`,
      `Mailboxes: ${probed} of one domain at a server ${roundTripMs} ms away there and back; medians of ${probing.length} rounds, in turns. Shared sessions are ${shared} times as fast.`,
    ],
    json: {
      ratios: {
        email_over_fastest: fastest,
        email_distinct_over_fastest: fastestDistinct,
        sessions_shared_over_apart: shared,
      },
      addresses_per_second: {
        leads: mapReaders((kind) => rate('leads', kind)),
        distinct: mapReaders((kind) => rate('distinct', kind)),
      },
      taken,
      mailboxes_per_second: { together: perSecond(together, probed), apart: perSecond(apart, probed) },
      machine: host,
      rounds: { reading, probing },
    },
  };
}

function oursOverFastest({ ours, ...others }: ReadingRound): number {
  return Math.min(...Object.values(others)) / ours;
}

/** Ratio to Nightshift's speed. */
function timesOf(rounds: readonly ReadingRound[], kind: ReaderKind): number {
  return rounded(median(rounds.map((round) => round.ours / round[kind])), 2);
}

function medianRun(runs: readonly ProbingRun[]): ProbingRun {
  return {
    seconds: median(runs.map(({ seconds }) => seconds)),
    sessions: median(runs.map(({ sessions }) => sessions)),
  };
}

function perSecond({ seconds }: ProbingRun, probed: number): number {
  return rounded(probed / seconds, 1);
}
