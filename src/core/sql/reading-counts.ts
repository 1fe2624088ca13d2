/** Number of readings by the server that answered them, since the process started. */
export interface ReadingCounts {
  readonly replica: number;
  readonly primary: number;
  /** Readings that a replica cancelled or lost, each of which was repeated. */
  readonly repeated: number;
}
