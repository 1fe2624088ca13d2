import { fields, possibleOperations, type Mapping, type Operation } from './draft.ts';

/** Error of a mapping, as text; null without one. */
export function mappingError(mapping: Mapping, operations: readonly Operation[]): string | null {
  if (possibleOperations(mapping).length === 0) {
    return 'Say at least in which column websites, names of companies or e-mail addresses stand.';
  }
  const taken = fields.map(({ name }) => mapping[name]).filter((column) => column !== '');
  if (new Set(taken).size < taken.length)
    return 'One column cannot be two things: choose another for one of them.';
  return operations.length === 0 ? 'Choose something to be done with the rows.' : null;
}
