import { z } from 'zod';
import { SourceUnreadable } from '../../core/errors.ts';
import { readReply } from '../replies/wire-fields.ts';
import { holds } from './condition.ts';
import type { SourceMap } from './map-shape.ts';
import { errorIn } from './errors.ts';

/**
 * The JSON of a reply that the map takes for an answer. Its errors are told apart before (`trouble.ts`), and are never read here.
 *
 * @throws SourceUnreadable naming the path of what does not fit.
 */
export function readBody(reply: string, map: SourceMap): unknown {
  const value = readReply(map.label, z.unknown(), reply);
  const failed = errorIn(value, map);
  if (failed !== undefined) throw unreadable(map, `${failed.when.path.text} holds an error`);
  const missed = map.must.find((condition) => !holds(condition, value));
  if (missed !== undefined) throw unreadable(map, `${missed.path.text} does not say what it must`);
  return value;
}

/** The error for a reply of which the map cannot make sense. */
export function unreadable({ label }: SourceMap, what: string, options?: ErrorOptions): SourceUnreadable {
  return new SourceUnreadable(`The source ${label} answered in an unknown shape: ${what}`, options);
}
