import { Conflict } from '../errors.ts';

/** Error for rows of a batch that a purge removed (docs/guides/retention.md). */
export function rowsArePurged(publicId: string, purgedAt: Date): Conflict {
  return new Conflict(
    `${publicId} was purged on ${purgedAt.toISOString().slice(0, 10)}: its rows, and what was found for them, are gone. ` +
      'Its counts and charges stay. Load the file again to make a new batch.',
  );
}
