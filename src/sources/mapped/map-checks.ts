import type { z } from 'zod';
import { placeholdersOf, writtenIn } from './request.ts';
import { isList, isPlaceholder, placeholdersIn, textsIn, type WrittenPlaceholder } from './templates.ts';
import type { RequestMap, SourceMap } from './map-shape.ts';

type Report = (path: readonly string[], message: string) => void;

/** Placeholder for the subject of a request. */
const subjects = {
  mapping: ['advertiser_id', 'advertiser_id_list', 'advertiser_number_list'],
  domain: ['domain'],
  name: ['name'],
} as const;
type Way = keyof typeof subjects;
const allSubjects: readonly string[] = Object.values(subjects).flat();

/** Placeholders that may lack a value: only these can be required. */
const optional = ['region', 'region_number', 'region_list'];

/** Checks what the shape of a map cannot express: placeholders fit, and the price is known in advance. */
export function checkMap(map: SourceMap, context: z.RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: 'custom', path: [...path], message });
  const { mapping, domain, name } = map.requests;
  if (mapping === undefined && domain === undefined)
    report(['requests'], 'needs domain, mapping or both: a search by name continues with its advertisers');
  for (const [way, request] of Object.entries({ mapping, domain, name }))
    if (request !== undefined) checkRequest(way, request, map, at(report, 'requests', way));
  for (const field of map.ad.usual)
    if (map.ad[field] === undefined) report(['ad', 'usual'], `names ${field}, which the map does not read`);
  checkReply(map, at(report, 'reply'));
}

function checkReply({ reply }: SourceMap, report: Report): void {
  const needing = ['next_page_parameter', 'next_page_if'] as const;
  const given = needing.find((key) => reply[key] !== undefined);
  if (reply.next_page === undefined && given !== undefined) report([given], 'needs next_page');
}

function at(report: Report, ...before: readonly string[]): Report {
  return (path, message) => report([...before, ...path], message);
}

function checkRequest(way: string, request: RequestMap, map: SourceMap, report: Report): void {
  checkPlaces(request, report);
  const used = placeholdersOf(request);
  for (const name of used)
    if (!isPlaceholder(name)) report([], `has the placeholder {${name}}, which does not exist`);
  for (const written of writtenIn(request)) checkWritten(written, report);
  if (way in subjects) checkSubject(way as Way, used, report);
  if (request.method === 'GET' && request.json !== undefined)
    report(['json'], 'is sent with POST only; set the method to POST, or use query');
  if (way !== 'name') checkPaging(used, map, report);
}

/** Rejects a placeholder at a place where a secret would be visible, or where its text could not be omitted. */
function checkPlaces({ path, query, headers, json }: RequestMap, report: Report): void {
  const inPath = namesIn(path).filter((name) => !allSubjects.includes(name));
  if (inPath.length > 0)
    report(
      ['path'],
      `must not have {${inPath[0] ?? ''}} in it; addresses are shown in messages, and paths have no optional parts`,
    );
  for (const [key, template] of Object.entries(headers))
    if (namesIn(template).some((name) => !['secret', 'secret_base64'].includes(name)))
      report(['headers', key], 'may have the placeholder {secret} only');
  const partly = [path, ...Object.values(query), ...textsIn(json).filter((text) => !/^\{\w+\}$/.test(text))];
  const list = partly.flatMap(namesIn).find(isList);
  if (list !== undefined) report([], `may have the placeholder {${list}} only alone in a text of its json`);
}

function namesIn(text: string): readonly string[] {
  return placeholdersIn(text).map(({ name }) => name);
}

function checkWritten({ name, isRequired, default: standard }: WrittenPlaceholder, report: Report): void {
  if (isRequired && !optional.includes(name))
    report([], `has the placeholder {${name}!}: only a region can be required`);
  if (standard !== undefined && (!optional.includes(name) || isList(name)))
    report([], `has the placeholder {${name}:${standard}}: only region and region_number can have a default`);
}

/** A request that does not name its subject would return the same for every company. */
function checkSubject(way: Way, used: readonly string[], report: Report): void {
  const own: readonly string[] = subjects[way];
  if (!own.some((name) => used.includes(name)))
    report([], `needs the placeholder {${subjects[way][0]}} somewhere`);
  const strange = allSubjects.find((name) => !own.includes(name) && used.includes(name));
  if (strange !== undefined)
    report([], `has the placeholder {${strange}}, which has no value in this search`);
}

function checkPaging(used: readonly string[], { reply, price }: SourceMap, report: Report): void {
  const pages = used.includes('page_token');
  if (reply.next_page !== undefined && !pages)
    report([], 'needs the placeholder {page_token}: reply.next_page says that there are pages');
  if (reply.next_page === undefined && pages)
    report([], 'has the placeholder {page_token}, but reply.next_page does not say where the token is');
  if (price.per_ad > 0 && !used.includes('ads_max'))
    report(
      [],
      'needs the placeholder {ads_max}: with a price per ad, the maximum cost of a call is unknown without it',
    );
}
