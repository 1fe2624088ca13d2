import {
  destinationFormats,
  destinationLayouts,
  destinationShapes,
  type DestinationScope,
  type FormatRequest,
} from '../../../core/destinations/destination.ts';
import type { LandingReplay } from '../../../core/destinations/destination-store.ts';
import { ValidationError } from '../../../core/errors.ts';
import { readAge } from '../../../core/time/parse-age.ts';
import type { PlaceOptions } from '../../context/parse-place.ts';
import type { AccountOptions } from '../../context/choose-account.ts';

/** Options of the form of what lands. */
export interface FormatOptions extends AccountOptions {
  readonly credentials?: string;
  readonly format?: string;
  readonly shape?: string;
  readonly layout?: string;
  readonly gzip?: boolean;
  readonly raw?: boolean;
  readonly table?: string;
  readonly key?: string;
}

/** Options of `destination add`. */
export interface AddDestinationOptions extends FormatOptions, PlaceOptions {
  readonly schedule?: string;
  readonly batch?: string;
}

/** Options of `destination edit`. */
export interface EditDestinationOptions extends FormatOptions {
  readonly name?: string;
}

/** Options of `destination replay`. */
export interface ReplayLandingOptions extends AccountOptions {
  readonly batch?: string;
  readonly dead?: boolean;
  readonly since?: string;
}

/** Parses the options of the form. @throws ValidationError for an unknown shape */
export function parseFormatOptions({
  format,
  shape,
  layout,
  gzip,
  raw,
  table,
  key,
}: FormatOptions): FormatRequest {
  return {
    format: destinationFormats.find((each) => each === format),
    shapes: shape === undefined ? undefined : splitNames(shape).map(parseShape),
    layout: destinationLayouts.find((each) => each === layout),
    gzip,
    raw,
    table,
    key: key === undefined ? undefined : splitNames(key),
  };
}

function splitNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim());
}

function parseShape(name: string) {
  const shape = destinationShapes.find((each) => each === name);
  if (shape !== undefined) return shape;
  throw new ValidationError(`Unknown shape "${name}". Shapes: ${destinationShapes.join(', ')}.`);
}

/** Parses the scope: a schedule, a batch, or the account. @throws ValidationError when both are given */
export function parseScope({ schedule, batch }: AddDestinationOptions): DestinationScope {
  if (schedule !== undefined && batch !== undefined) {
    throw new ValidationError('Choose --schedule or --batch, or neither to take all batches.');
  }
  if (schedule !== undefined) return { kind: 'schedule', schedule };
  return batch === undefined ? { kind: 'account' } : { kind: 'batch', batch };
}

/** Parses the selection of batches. @throws ValidationError unless exactly one option is given */
export function parseReplay({ batch, dead, since }: ReplayLandingOptions): LandingReplay {
  const given: readonly LandingReplay[] = [
    ...(batch === undefined ? [] : [{ kind: 'batch', batch } as const]),
    ...(dead === true ? [{ kind: 'dead' } as const] : []),
    ...(since === undefined ? [] : [{ kind: 'since', ageMs: readAge(since, '--since') } as const]),
  ];
  const [only] = given;
  if (only !== undefined && given.length === 1) return only;
  throw new ValidationError('Choose what to land again: --batch, --dead or --since.');
}
