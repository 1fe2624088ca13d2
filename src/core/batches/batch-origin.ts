/**
 * Ways in which a batch is created. `upload`: in the console; `api`: with an API key; `cli`: by a command; `schedule`: a scan of a
 * schedule; `inbox`: a file of an inbox; `run_again`: from the rows of another batch.
 */
export const batchOrigins = ['upload', 'api', 'cli', 'schedule', 'inbox', 'run_again'] as const;
export type BatchOriginKind = (typeof batchOrigins)[number];

/** Origin of a batch. */
export interface BatchOrigin {
  readonly kind: BatchOriginKind;
  /** Schedule, inbox or batch that the batch comes from; null for the other kinds, and once a batch is deleted. */
  readonly from: NamedId | null;
}

/** A public id with the name of its record. */
export interface NamedId {
  readonly id: string;
  readonly name: string;
}

/** Describes the origin for people, in a few words. */
export function describeOrigin({ kind, from }: BatchOrigin): string {
  const name = from?.name ?? null;
  return {
    upload: 'upload',
    api: 'API',
    cli: 'command line',
    schedule: name === null ? 'scan of a schedule' : `scan of ${name}`,
    inbox: name === null ? 'inbox' : `inbox ${name}`,
    run_again: name === null ? 'run again' : `run again of ${name}`,
  }[kind];
}
