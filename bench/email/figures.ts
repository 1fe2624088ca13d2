import type { Host } from '../support/machine.ts';
import type { ProbingRound } from './probing.ts';
import type { ReaderKind } from './readers.ts';
import type { MixKind, ReadingRound } from './reading.ts';

/** All measurements. */
export interface EmailFigures {
  readonly host: Host;
  /** Number of addresses in a file. */
  readonly addresses: number;
  /** Mailboxes per round. */
  readonly probed: number;
  readonly reading: Readonly<Record<MixKind, readonly ReadingRound[]>>;
  /** Number of texts that each parser accepts, in the last file of leads. */
  readonly taken: Readonly<Record<ReaderKind, number>>;
  readonly probing: readonly ProbingRound[];
}
