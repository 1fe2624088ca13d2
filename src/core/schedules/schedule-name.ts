import { hasControlCharacter } from '../companies/control-character.ts';
import { ValidationError } from '../errors.ts';
import { nameCharsMax } from './schedule.ts';

/**
 * The name of a schedule: a line of text that is no id.
 *
 * @throws ValidationError naming `where`, an option or a field.
 */
export function readScheduleName(text: string, where: string): string {
  const name = text.trim();
  if (name === '' || name.length > nameCharsMax || hasControlCharacter(name))
    throw new ValidationError(`${where}: write 1 to ${nameCharsMax} characters on one line.`);
  if (/^sch_/i.test(name)) throw new ValidationError(`${where} "${name}": ids of schedules begin like that.`);
  return name;
}
