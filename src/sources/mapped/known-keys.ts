import { rejectRenamed } from '../replies/renamed-keys.ts';
import { valueAt, type JsonPath, type Step } from './json-path.ts';

/** Paths of a map into values of one kind. */
export interface KnownPaths {
  /** All paths that the map names, including unused ones. */
  readonly known: readonly JsonPath[];
  /** Keys that a value may lack. */
  readonly usual: readonly JsonPath[];
}

/**
 * Rejects values that lack a usual path while an unknown key stands in its place: at every level, so that `image.link` is
 * missed under `image` as well as together with it.
 *
 * @throws SourceUnreadable that names both keys.
 */
export function rejectRenamedPaths(source: string, values: readonly unknown[], { known, usual }: KnownPaths) {
  for (const { steps } of usual)
    for (const [depth, step] of steps.entries()) {
      if (step.kind !== 'key') continue;
      const before = steps.slice(0, depth);
      const objects = values.flatMap((value) => objectsAt(value, before));
      rejectRenamed(source, objects, { known: keysUnder(before, known), usual: [step.key] });
    }
}

function objectsAt(value: unknown, steps: readonly Step[]): readonly Readonly<Record<string, unknown>>[] {
  const found = valueAt(value, { text: '', steps });
  const each: readonly unknown[] = Array.isArray(found) ? found : [found];
  return each.filter((inner) => isObject(inner));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Keys that follow a prefix of the paths. */
function keysUnder(before: readonly Step[], paths: readonly JsonPath[]): readonly string[] {
  return paths.flatMap(({ steps }) => {
    const next = steps[before.length];
    const begins = before.every((step, i) => isSame(step, steps[i]));
    return begins && next?.kind === 'key' ? [next.key] : [];
  });
}

function isSame(one: Step, other: Step | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
