import { z } from 'zod';
import type { AdsPage } from '../calls/collect-pages.ts';
import { readValue } from '../replies/wire-fields.ts';
import { readBody, unreadable } from './body.ts';
import { holds } from './condition.ts';
import { valueAt, type JsonPath } from './json-path.ts';
import { rejectRenamedPaths } from './known-keys.ts';
import { adPaths, replyPaths } from './map-paths.ts';
import type { SourceMap } from './map-shape.ts';
import { pick } from './fields/where.ts';
import { rowShape } from './wire-ad.ts';

/** Context of a page. */
export interface PageContext {
  /** True for the first page of a search. */
  readonly isFirst: boolean;
  /** The requested advertisers, for a search whose answer must not have others. */
  readonly only?: readonly string[] | undefined;
  /** Day of the reply, `YYYY-MM-DD`. */
  readonly today?: string;
}

/**
 * Parses a page of ads by the map. A page without ads is accepted only if it matches the map's conditions for that. If an
 * optional key is missing while an unknown key is present, it counts as renamed.
 *
 * @throws SourceUnreadable that names the invalid field of the map, or the path in the reply.
 */
export function readPage(reply: string, map: SourceMap, { isFirst, only, today }: PageContext): AdsPage {
  const value = readBody(reply, map);
  const { rows, next, total } = readParts(value, map);
  // A page after the last ad may be empty, whatever the total.
  if (isFirst && rows.length === 0 && (total ?? 0) > 0)
    throw unreadable(map, `${map.reply.total?.text ?? ''} counts ads, and there are none`);
  rejectRenamedPaths(map.label, rows, adPaths(map.ad));
  rejectOthers(rows, map, only);
  const shape = z.object({ ads: z.array(rowShape(map, today ?? lastDay)) });
  const { ads } = readValue(map.label, shape, { ads: rows });
  return {
    ads,
    next: nextToken(next, value, map),
    estimate: total === null ? null : { low: total, high: total },
  };
}

/** No day is later. */
const lastDay = '9999-12-31';

/** @throws SourceUnreadable when a row is of another advertiser: the vendor has ignored what it was asked for. */
function rejectOthers(rows: readonly unknown[], map: SourceMap, only: readonly string[] | undefined): void {
  if (only === undefined) return;
  const other = rows.findIndex((row) => !only.includes(String(pick(row, map.ad.advertiser_id))));
  if (other !== -1) throw unreadable(map, `ads[${other}] is of an advertiser that was not requested`);
}

const rowsOfNone = z.array(z.unknown()).nullish();
const rowsOfSome = z.array(z.unknown()).min(1, 'is an empty list without a condition of the map for "none"');
/** A token, or the number of a page. */
const token = z.union([z.string(), z.int()]).transform(String);
/** A number, or a text of digits. */
const count = z.union([
  z.int().min(0),
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
]);

function readParts(value: unknown, map: SourceMap) {
  const { ads, next_page: nextPage, total, none } = map.reply;
  const isNone = none.some((conditions) => conditions.every((each) => holds(each, value)));
  const given = valueAt(value, ads);
  rejectRenamedPaths(map.label, [value], replyPaths(map, isNone && given === undefined));
  const shape = z.object({
    ads: isNone ? rowsOfNone : rowsOfSome,
    next_page: token.nullish(),
    next_page_if: z.union([z.string(), z.number(), z.boolean()]).nullish(),
    total: count.nullish(),
  });
  const parts = {
    ads: given,
    next_page: at(value, nextPage),
    next_page_if: at(value, map.reply.next_page_if?.path),
    total: at(value, total),
  };
  const read = readValue(map.label, shape, parts);
  const rows = read.ads ?? [];
  if (isNone && rows.length > 0)
    throw unreadable(map, `${ads.text} has ads, and it says that there are none`);
  return { rows, next: read.next_page ?? null, total: read.total ?? null };
}

function at(value: unknown, path: JsonPath | undefined): unknown {
  return path === undefined ? null : valueAt(value, path);
}

/** Token of the next page in the form in which it is sent; null on the last page. */
function nextToken(given: string | null, value: unknown, map: SourceMap): string | null {
  const { next_page: path, next_page_if: condition, next_page_parameter: parameter } = map.reply;
  if (condition !== undefined && !holds(condition, value)) return null;
  if (given === null || given === '') {
    if (condition === undefined) return null;
    throw unreadable(
      map,
      `${path?.text ?? ''} is missing, and ${condition.path.text} says that there is a page`,
    );
  }
  const token = parameter === undefined ? given : parameterOf(given, parameter);
  if (token === null)
    throw unreadable(map, `${path?.text ?? ''} is not a URL with the parameter ${parameter ?? ''}`);
  return decoded(token, map);
}

function parameterOf(url: string, name: string): string | null {
  return URL.canParse(url, 'https://host') ? new URL(url, 'https://host').searchParams.get(name) : null;
}

/** A token in the form in which it is sent. */
function decoded(next: string, map: SourceMap): string {
  if (!map.reply.next_page_encoded) return next;
  try {
    return decodeURIComponent(next);
  } catch (error) {
    throw unreadable(map, `${map.reply.next_page?.text ?? ''} is not percent-encoded`, { cause: error });
  }
}
