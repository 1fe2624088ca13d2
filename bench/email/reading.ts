import { leadAddresses } from '../data/lead-addresses.ts';
import { readerKinds, type ReaderKind, type Readers } from './readers.ts';

/** `leads`: most addresses share their domain with others. `distinct`: none does. */
export const mixKinds = ['leads', 'distinct'] as const;
export type MixKind = (typeof mixKinds)[number];

/** Seconds of CPU time of each parser for one file. */
export type ReadingRound = Readonly<Record<ReaderKind, number>>;

export interface ReadingOptions {
  readonly mix: MixKind;
  readonly rounds: number;
  /** Number of addresses in a file. */
  readonly addresses: number;
  readonly seed: number;
}

/** Companies of a file of 100,000 leads, and of a longer or shorter one in proportion. */
const addressesPerCompany = 12.5;

/**
 * Every round parses its own file with new companies, so that caches of earlier rounds do not help. The first file warms up and
 * is not counted.
 */
export function measureReading(readers: Readers, { mix, rounds, addresses, seed }: ReadingOptions) {
  const companies = mix === 'leads' ? Math.ceil(addresses / addressesPerCompany) : null;
  const lists = Array.from({ length: rounds + 1 }, (_, round) =>
    leadAddresses({ seed: seed + round, count: addresses, companies, firstCompany: round * addresses }),
  );
  const measured = lists.map((list, round) => readList(readers, list, round));
  return {
    rounds: measured.slice(1).map(({ seconds }) => seconds),
    taken: measured.at(-1)?.taken ?? mapReaders(() => 0),
  };
}

/** Each parser parses the file, starting with another one in every round. */
function readList(readers: Readers, list: readonly string[], round: number) {
  const seconds = mapReaders(() => 0);
  const taken = mapReaders(() => 0);
  for (let turn = 0; turn < readerKinds.length; turn += 1) {
    const kind = readerKinds[(round + turn) % readerKinds.length] ?? 'ours';
    const read = readers[kind];
    const started = process.cpuUsage();
    taken[kind] = read(list);
    const { user, system } = process.cpuUsage(started);
    seconds[kind] = (user + system) / 1e6;
  }
  return { seconds, taken };
}

/** Computes a value for each parser. */
export function mapReaders<T>(valueOf: (kind: ReaderKind) => T): Record<ReaderKind, T> {
  return {
    ours: valueOf('ours'),
    validator: valueOf('validator'),
    isemail: valueOf('isemail'),
    hapi_address: valueOf('hapi_address'),
  };
}
