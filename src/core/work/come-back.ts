/** When a chunk is to be worked on again, and which of its lookups have used up a try. */
export interface ComeBack {
  readonly delayMs: number;
  readonly failedTries: readonly bigint[];
}
