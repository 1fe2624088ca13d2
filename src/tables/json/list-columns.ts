import { quoteNames, tableError, tableTooLarge } from '../records/table-error.ts';
import type { TableOptions } from '../records/table.ts';
import { ValueError, type ListValue } from './parse-value.ts';

/** Columns of a JSON list. */
export interface ListColumns {
  /** Kind of the first well-formed value: all values must have it. */
  readonly kind: ListValue['kind'];
  readonly header: readonly string[];
  /** Line where the first value starts. */
  readonly lineNo: number;
}

/** Collector of the columns of a list. */
export interface ColumnCollector {
  readonly add: (value: ListValue, lineNo: number) => void;
  /** Returns the columns. @throws ValidationError when there is no value. */
  readonly columns: () => ListColumns;
}

/** Name of the column of a list of texts or numbers. */
const scalarColumn = 'value';

/**
 * Creates a collector of columns: of objects all keys, in the order in which they appear; of arrays the first one; of other values one column.
 *
 * The keys of all objects count, not of the first ones only, so that no value is without a column.
 */
export function collectColumns({ fileName, limits }: TableOptions): ColumnCollector {
  const keys = new Set<string>();
  let first: { readonly value: ListValue; readonly lineNo: number } | null = null;
  let count = 0;

  function add(value: ListValue, lineNo: number): void {
    first ??= { value, lineNo };
    count += 1;
    if (value.kind !== 'object' || first.value.kind !== 'object') return;
    for (const key of value.members.keys()) keys.add(key);
    if (keys.size > limits.columnsMax)
      throw tableTooLarge(
        fileName,
        `line ${lineNo}`,
        `The objects so far have ${keys.size} different keys; the limit is ${limits.columnsMax} columns. Remove keys that are not needed.`,
      );
  }

  function columns(): ListColumns {
    if (first === null)
      throw tableError(fileName, null, 'The file has no valid JSON record. Export it again, with its rows.');
    const { value, lineNo } = first;
    if (value.kind === 'array') return { kind: 'array', header: value.items, lineNo };
    if (value.kind === 'scalar') return { kind: 'scalar', header: [scalarColumn], lineNo };
    if (count === 1) rejectWrappedList(value.members, fileName);
    return { kind: 'object', header: [...keys], lineNo };
  }

  return { add, columns };
}

/** Rejects an object that holds the list in one of its members, as bodies of APIs do. */
function rejectWrappedList(members: ReadonlyMap<string, string>, fileName: string): void {
  const list = [...members].find(([, text]) => /^\[[{[]/.test(text));
  if (list === undefined) return;
  throw tableError(
    fileName,
    null,
    `The file is one JSON object; its list is the value of ${quoteNames([list[0]])}. ` +
      `Save the list itself, for example with: jq -c '.[${JSON.stringify(list[0])}][]' FILE`,
  );
}

/** Returns the cells of a value. @throws ValueError when it has another kind than the first one. */
export function cellsOf(value: ListValue, { kind, header }: ListColumns): string[] {
  if (value.kind !== kind) throw new ValueError(`is not ${kindLabels[kind]}, as the first record is`);
  if (value.kind === 'scalar') return [value.text];
  if (value.kind === 'object') return header.map((key) => value.members.get(key) ?? '');
  const missing = Math.max(0, header.length - value.items.length);
  return [...value.items, ...new Array<string>(missing).fill('')];
}

const kindLabels: Readonly<Record<ListValue['kind'], string>> = {
  object: 'an object',
  array: 'an array',
  scalar: 'a text or number',
};
