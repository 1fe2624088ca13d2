import type { Outcome } from './outcomes.ts';

/** Figures of the service over all processes, from the record. Credits as numbers of credits, times in seconds. */
export interface ServiceStats {
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly creditsCharged: number;
  readonly accounts: readonly { readonly name: string; readonly balance: number; readonly held: number }[];
  readonly openLookups: number;
  readonly chunks: Readonly<Record<'queued' | 'running' | 'parked', number>>;
  /** Longest time that a batch with open lookups has waited. */
  readonly oldestWaitingSeconds: number;
  /** The last calls to each live source. */
  readonly sources: readonly {
    readonly source: string;
    readonly p50Seconds: number;
    readonly p99Seconds: number;
    readonly answers: Readonly<Record<string, number>>;
  }[];
}

/** Port: figures for who watches the service. Cheap enough to be asked every few seconds. */
export interface ServiceStatsStore {
  readStats(): Promise<ServiceStats>;
  /** Open lookups of all batches: what a new batch stands in line behind. */
  countOpenLookups(): Promise<number>;
}
