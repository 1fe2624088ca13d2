import type { PauseKind } from '../../work/pause.ts';

/** Pause of a source. */
export interface SourcePause {
  readonly source: string;
  readonly kind: PauseKind;
  /** Message of the source or of the error; empty without one. */
  readonly reason: string;
  readonly until: Date;
  /** Number of consecutive pauses. */
  readonly pauses: number;
}
