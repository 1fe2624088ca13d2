import { compareShape, type ShapeDifference } from '../../core/sources/reply-shape.ts';
import { parseLeniently } from '../../adapters/http/parse-leniently.ts';
import { recordedShapes } from '../recorded-shapes.ts';
import { withoutGuard } from './without-guard.ts';

/** Compares a reply with the nearest recorded form; null without a recorded form, or for a reply that is no JSON. */
export function differenceFromRecorded(source: string, reply: string): ShapeDifference | null {
  const value = parseLeniently(withoutGuard(reply));
  if (value === undefined) return null;
  const differences = (recordedShapes[source] ?? []).map((recorded) => compareShape(value, recorded));
  return differences.toSorted((a, b) => weigh(a) - weigh(b))[0] ?? null;
}

function weigh({ missing, added }: ShapeDifference): number {
  return missing.length + added.length;
}
