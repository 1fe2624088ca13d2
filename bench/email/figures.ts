import type { Host } from '../support/machine.ts';
import type { ProbingRound } from './probing.ts';
import type { ReaderKind } from './readers.ts';
import type { MixKind, ReadingRound } from './reading.ts';

/** All that was measured. */
export interface EmailFigures {
  readonly host: Host;
  /** Addresses of a list. */
  readonly addresses: number;
  /** Mailboxes that one round asked about. */
  readonly probed: number;
  readonly reading: Readonly<Record<MixKind, readonly ReadingRound[]>>;
  /** Addresses that each took, of the last list of leads. */
  readonly taken: Readonly<Record<ReaderKind, number>>;
  readonly probing: readonly ProbingRound[];
}
