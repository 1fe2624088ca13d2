import { ValidationError } from '../errors.ts';
import { changeKinds, type ChangeKind } from './ad-change.ts';

/**
 * Parses kinds of changes, separated by commas.
 *
 * @throws ValidationError that names `where`, an option or a field.
 */
export function readKinds(text: string, where: string): readonly ChangeKind[] {
  const named = text.split(',').map((name) => name.trim());
  return named.map((name) => {
    const kind = changeKinds.find((each) => each === name);
    if (kind !== undefined) return kind;
    throw new ValidationError(
      `${where}: unknown kind of change "${name}". Known kinds: ${changeKinds.join(', ')}.`,
    );
  });
}
