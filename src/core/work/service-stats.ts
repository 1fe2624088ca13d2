import type { Outcome } from './outcomes.ts';

/** Metrics of the service over all processes, from the database. Credits as numbers of credits, times in seconds. */
export interface ServiceStats {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly creditsCharged: number;
  readonly accounts: readonly { readonly name: string; readonly balance: number; readonly held: number }[];
  readonly openLookups: number;
  readonly chunks: Readonly<Record<'queued' | 'running' | 'parked', number>>;
  /** Longest time that a batch with open lookups has waited. */
  readonly oldestWaitingSeconds: number;
  /** Recent calls to each live source. */
  readonly sources: readonly {
    readonly source: string;
    readonly p50Seconds: number;
    readonly p99Seconds: number;
    readonly answers: Readonly<Record<string, number>>;
  }[];
}

/** Port: metrics for monitoring. Cheap enough to be read every few seconds. */
export interface ServiceStatsStore {
  readStats(): Promise<ServiceStats>;
  /** Counts open lookups of all batches: the queue ahead of a new batch. */
  countOpenLookups(): Promise<number>;
}
