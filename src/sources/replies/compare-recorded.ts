import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import { compareShape, type RecordedShape, type ShapeDifference } from '../../core/sources/reply-shape.ts';
import { withoutGuard } from './without-guard.ts';

/** Compares a reply with the most similar recorded form; null without a recorded form, or for a reply that is not JSON. */
export function differenceFromRecorded(
  shapes: readonly RecordedShape[],
  reply: string,
): ShapeDifference | null {
  const value = parseLeniently(withoutGuard(reply));
  if (value === undefined) return null;
  const differences = shapes.map((recorded) => compareShape(value, recorded));
  return differences.toSorted((a, b) => weigh(a) - weigh(b))[0] ?? null;
}

function weigh({ missing, added }: ShapeDifference): number {
  return missing.length + added.length;
}
