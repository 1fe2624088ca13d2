import type { BatchState } from './batch.ts';

/** A batch as a candidate for a typed name. */
export interface NamedBatch {
  readonly publicId: string;
  readonly name: string;
  readonly state: BatchState;
  readonly createdAt: Date;
}
