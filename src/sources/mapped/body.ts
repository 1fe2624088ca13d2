import { z } from 'zod';
import { SourceUnreadable } from '../../core/errors.ts';
import { readReply } from '../replies/wire-fields.ts';
import { holds } from './condition.ts';
import type { SourceMap } from './map-shape.ts';
import { errorIn } from './errors.ts';

/**
 * Parses the JSON of an answer. Error replies are detected before (`errors.ts`), and never reach this.
 *
 * @throws SourceUnreadable that names the path of the first invalid value.
 */
export function readBody(reply: string, map: SourceMap): unknown {
  const value = readReply(map.label, z.unknown(), withExactNumbers(reply));
  const failed = errorIn(value, map);
  if (failed !== undefined) throw unreadable(map, `${failed.when?.path.text ?? 'the status'} holds an error`);
  const missed = map.must.find((condition) => !holds(condition, value));
  if (missed !== undefined) throw unreadable(map, `${missed.path.text} does not have the required value`);
  return value;
}

/** Error of a reply that the map cannot parse. */
export function unreadable({ label }: SourceMap, what: string, options?: ErrorOptions): SourceUnreadable {
  return new SourceUnreadable(`The source ${label} answered in an unknown shape: ${what}`, options);
}

/** Texts of JSON, and whole numbers with more digits than a number can hold exactly. */
const textOrLongNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/gs;

/** Quotes long whole numbers, such as ids: parsed as numbers, their last digits would change. */
function withExactNumbers(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  return json.replace(textOrLongNumber, (found) => (found.startsWith('"') ? found : `"${found}"`));
}
