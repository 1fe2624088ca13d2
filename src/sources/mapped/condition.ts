import { z } from 'zod';
import { jsonPath, valueAt } from './json-path.ts';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** A condition on the value at a path of a reply. */
export const condition = z.union(
  [
    /** `empty`: an array without elements. `present`: anything except null, false and an empty text. */
    z.strictObject({ path: jsonPath, is: z.enum(['empty', 'present']) }),
    z.strictObject({ path: jsonPath, equals: scalar }),
    z.strictObject({ path: jsonPath, one_of: z.array(scalar).min(1) }),
    z.strictObject({ path: jsonPath, not: scalar }),
    z.strictObject({ path: jsonPath, contains: z.string().min(1) }),
  ],
  'expected a path and one of is ("empty" or "present"), equals, not, one_of and contains',
);

export type Condition = z.infer<typeof condition>;

/** True when the condition holds for a reply. */
export function holds(condition: Condition, reply: unknown): boolean {
  const value = valueAt(reply, condition.path);
  if ('equals' in condition) return value === condition.equals;
  if ('one_of' in condition) return condition.one_of.some((each) => each === value);
  if ('not' in condition) return value !== undefined && value !== condition.not;
  if ('contains' in condition) return typeof value === 'string' && value.includes(condition.contains);
  if (condition.is === 'empty') return Array.isArray(value) && value.length === 0;
  return value !== undefined && value !== null && value !== false && value !== '';
}
