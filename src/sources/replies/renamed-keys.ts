import { SourceUnreadable } from '../../core/errors.ts';

/** Keys of a source's rows, from its documentation and recorded replies. */
export interface RowKeys {
  /** Every key that a row may have. */
  readonly known: readonly string[];
  /** Keys that some rows lack, but not all of many rows. */
  readonly usual: readonly string[];
}

/** Maximum length of an unknown key in a message. */
const nameCharsMax = 40;

/**
 * Compares rows with their usual keys. A row may lack a usual key, so no row alone reveals a renamed key. But if no row has the
 * key any more and an unknown key appears, its data would be lost silently. Our choice: an unknown key counts as the renamed
 * one, and the reply is unreadable until someone checks it.
 *
 * @throws SourceUnreadable that names both keys.
 */
export function rejectRenamed(
  source: string,
  rows: readonly Readonly<Record<string, unknown>>[],
  { known, usual }: RowKeys,
): void {
  if (rows.length === 0) return;
  const missing = usual.find((key) => rows.every((row) => !(key in row)));
  const unknown = rows.flatMap((row) => Object.keys(row)).find((key) => !known.includes(key));
  if (missing === undefined || unknown === undefined) return;
  const shown = JSON.stringify(unknown.slice(0, nameCharsMax));
  throw new SourceUnreadable(
    `The source ${source} answered in an unknown shape: no row has the key ${missing}, and some have ${shown}`,
  );
}
