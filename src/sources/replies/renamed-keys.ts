import { SourceUnreadable } from '../../core/errors.ts';

/** The keys of a source's rows, as its documents and recorded replies have them. */
export interface RowKeys {
  /** Every key that a row may have. */
  readonly known: readonly string[];
  /** Keys that any row may lack, and that among many rows some have. */
  readonly usual: readonly string[];
}

/** The longest name of a foreign key that a message shows. */
const nameCharsMax = 40;

/**
 * Holds rows against the keys they usually have. A row may lack such a key, so no row alone tells that it was renamed; but where none
 * has it any more, and a key stands there that nobody knows, what was under it would be lost without a word. Our choice: a key that
 * is new is taken for the one that is gone, and somebody has to look.
 *
 * @throws SourceUnreadable naming both keys.
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
