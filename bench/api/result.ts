import { median, rounded } from '../support/figures.ts';
import type { BenchResult } from '../support/table.ts';
import { badKeyKinds, type RefusalTimes } from './bad-keys.ts';
import {
  clientCounts,
  serverKinds,
  type ApiFigures,
  type ClientCount,
  type Latencies,
  type ServerKind,
} from './figures.ts';
import type { ServerRate } from './load-clients.ts';

const titles: Readonly<Record<ServerKind, string>> = {
  floor: 'floor: node:http and one statement a step',
  ours: 'nightshift serve',
  hono: 'Hono with no work',
};

/** Medians of the rounds. */
export function apiResult(figures: ApiFigures): BenchResult {
  const { machine, rounds, keyCheck, bareQuestion, badKeys, creatives } = figures;
  const rate = (kind: ServerKind, clients: ClientCount) =>
    medianOf(rounds.map((round) => round[kind][clients]));
  const ofFloor = (kind: ServerKind, clients: ClientCount) =>
    rounded(
      median(
        rounds.map(
          (round) => round[kind][clients].requestsPerSecond / round.floor[clients].requestsPerSecond,
        ),
      ),
      2,
    );
  const check = latencies(keyCheck);
  const bare = latencies(bareQuestion);
  return {
    name: 'api',
    head: ['', 'clients', 'requests/s', 'p50 ms', 'p99 ms', 'of the floor'],
    rows: clientCounts.flatMap((clients) =>
      serverKinds.map((kind) => {
        const { requestsPerSecond, p50Ms, p99Ms } = rate(kind, clients);
        return [
          titles[kind],
          clients,
          requestsPerSecond.toLocaleString('en'),
          p50Ms,
          p99Ms,
          ofFloor(kind, clients),
        ];
      }),
    ),
    notes: [
      `Searches that find some fifty ads each, of ${creatives.toLocaleString('en')}; every one is held for, charged and stored durably. Medians of ${rounds.length} rounds, those of the ratios too; in short turns.`,
      `A check of a key takes ${check.p50_ms} ms, ${check.p99_ms} ms at the 99th percentile, one at a time; a bare SELECT 1 ${bare.p50_ms} and ${bare.p99_ms} ms.`,
      `To know a bad key takes, in ms: ${refusals(badKeys.check)}.`,
      `Its 401 over HTTP takes, in ms: ${refusals(badKeys.answer)}.`,
      'The floor leaves out: limits, checks of the body, leases, request ids, errors, metrics, the log.',
    ],
    json: {
      ratios: {
        api_over_steps_1: ofFloor('ours', 1),
        api_over_steps_16: ofFloor('ours', 16),
        api_over_steps_64: ofFloor('ours', 64),
      },
      requests_per_second: byKind((kind) => byClients((clients) => rate(kind, clients).requestsPerSecond)),
      p99_ms: byKind((kind) => byClients((clients) => rate(kind, clients).p99Ms)),
      key_check: check,
      bare_question: bare,
      bad_keys: { check: refusalFigures(badKeys.check), answer: refusalFigures(badKeys.answer) },
      machine,
      rounds,
    },
  };
}

function latencies({ p50Ms, p99Ms }: Latencies) {
  return { p50_ms: rounded(p50Ms), p99_ms: rounded(p99Ms) };
}

/** Formats `missing 0.2, malformed 0.201, …; 1 µs apart, 0.5 %`. */
function refusals(times: RefusalTimes): string {
  const { p50_ms: p50, apart_us: apartUs, apart_percent: apartPercent } = refusalFigures(times);
  const kinds = badKeyKinds.map((kind) => `${kind} ${p50[kind]}`).join(', ');
  return `${kinds}; ${apartUs} µs apart, ${apartPercent} %`;
}

function refusalFigures({ p50, apart }: RefusalTimes) {
  const p50s = badKeyKinds.map((kind) => [kind, rounded(p50[kind])] as const);
  return {
    p50_ms: Object.fromEntries(p50s) as Record<(typeof badKeyKinds)[number], number>,
    apart_us: Math.round(apart * 1000),
    apart_percent: rounded((apart / median(Object.values(p50))) * 100, 1),
  };
}

function medianOf(rates: readonly ServerRate[]): ServerRate {
  return {
    requestsPerSecond: Math.round(median(rates.map((rate) => rate.requestsPerSecond))),
    p50Ms: rounded(median(rates.map((rate) => rate.p50Ms)), 2),
    p99Ms: rounded(median(rates.map((rate) => rate.p99Ms)), 2),
  };
}

function byKind<T>(valueOf: (kind: ServerKind) => T): Readonly<Record<ServerKind, T>> {
  return { floor: valueOf('floor'), ours: valueOf('ours'), hono: valueOf('hono') };
}

function byClients<T>(valueOf: (clients: ClientCount) => T): Readonly<Record<ClientCount, T>> {
  return { 1: valueOf(1), 16: valueOf(16), 64: valueOf(64) };
}
