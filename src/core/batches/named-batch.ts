import { NotFound, ValidationError } from '../errors.ts';
import { momentText } from '../reports/days.ts';
import { visibleText } from '../reports/visible-text.ts';
import type { BatchState } from './batch.ts';

/** A batch as a candidate for a typed name. */
export interface NamedBatch {
  readonly publicId: string;
  readonly name: string;
  readonly state: BatchState;
  readonly createdAt: Date;
}

/** Number of batches to find for a name: one more than an error lists. */
export const candidatesRead = 9;

/**
 * Returns the only candidate for a typed name.
 *
 * @throws NotFound when there is none.
 * @throws ValidationError when there are several; it lists the newest ones with their times.
 */
export function chooseOnly(name: string, candidates: readonly NamedBatch[]): NamedBatch {
  const [only] = candidates;
  if (only === undefined) throw noBatchNamed(name);
  if (candidates.length === 1) return only;
  const shown = candidates.slice(0, candidatesRead - 1);
  throw new ValidationError(
    [
      `${JSON.stringify(visibleText(name))} is the name of ${candidates.length > shown.length ? `more than ${shown.length}` : candidates.length} batches. Use an id, or latest:`,
      ...shown.map(
        ({ publicId, name: file, state, createdAt }) =>
          `  ${publicId}  ${momentText(createdAt)}  ${state}  ${visibleText(file)}`,
      ),
    ].join('\n'),
  );
}

function noBatchNamed(name: string): NotFound {
  if (name === 'latest')
    return new NotFound('There are no batches yet. Create one with: nightshift enrich FILE');
  return new NotFound(
    `There is no batch ${visibleText(name)}. \`nightshift status\` lists all batches. Use an id, its beginning, the name of the file, or latest.`,
  );
}
