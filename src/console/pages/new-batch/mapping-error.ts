import { fields, possibleOperations, type Mapping, type Operation } from './draft.ts';

/** Describes the error of a mapping; null without one. */
export function mappingError(mapping: Mapping, operations: readonly Operation[]): string | null {
  if (possibleOperations(mapping).length === 0) {
    return 'Choose a column of websites, company names or e-mail addresses.';
  }
  const chosen = fields.map(({ name }) => mapping[name]).filter((column) => column !== '');
  if (new Set(chosen).size < chosen.length)
    return 'One column is used twice. Choose another column for one of them.';
  return operations.length === 0 ? 'Choose at least one operation.' : null;
}
