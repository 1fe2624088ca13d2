import type { OutcomeStore } from '../outcomes.ts';
import type { LeaseKeeper } from '../work/lease-keeper.ts';
import type { AdSource } from './ad-source.ts';
import type { AskOptions } from './ask-sources.ts';

/** What looking companies up takes, for a chunk of a batch and for a single search alike. */
export interface Searching {
  readonly outcomes: OutcomeStore;
  readonly leases: LeaseKeeper;
  /** The sources as an account sees them. @throws Misconfigured when one of them is not loaded or not configured. */
  readonly sourcesNamed: (names: readonly string[], accountId: number) => Promise<readonly AdSource[]>;
  readonly asking: Pick<AskOptions, 'pacer' | 'calls' | 'limit'>;
  /** How long a claim lasts without a renewal; milliseconds. */
  readonly leaseMs: number;
}
