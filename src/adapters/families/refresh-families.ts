import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { parseDomain } from '../../core/companies/domain.ts';
import { parseFamilies, type Family } from '../../core/companies/match/families/parse-families.ts';
import { Misconfigured, SourceUnreadable } from '../../core/errors.ts';
import { isSharedHost } from '../../core/companies/shared-hosts.ts';
import { getText, parseJson, type HttpClient } from '../http/http.ts';
import { parseListUrl } from '../mail/lists/refresh-list.ts';
import { readRefreshedFamilies, refreshedFamiliesFile } from './refreshed-families.ts';

/** Endpoint of Wikidata's query service. Its data are CC0-1.0. */
export const wikidataUrl = 'https://query.wikidata.org/sparql';

/**
 * Companies that are listed on a stock exchange (P946 ISIN), with their country (P17, P297), official website (P856), and subsidiaries and
 * brands (P355, P1716), by their English labels.
 */
export const familiesQuery = `SELECT ?name ?country ?website ?part WHERE {
  ?company wdt:P946 ?isin; wdt:P856 ?website; wdt:P17/wdt:P297 ?country; rdfs:label ?name.
  FILTER(LANG(?name) = "en")
  OPTIONAL { ?company wdt:P355|wdt:P1716 ?member. ?member rdfs:label ?part. FILTER(LANG(?part) = "en") }
}`;

/** Changes of a refresh. */
export interface RefreshedFamilies {
  /** Path of the written file. */
  readonly file: string;
  readonly origin: string;
  readonly families: number;
  /** Number of their brands and subsidiaries. */
  readonly parts: number;
}

/** Options of `refreshFamilies`. */
export interface RefreshFamiliesOptions {
  /** Address of a query service with the protocol of SPARQL 1.1. */
  readonly from: string;
  /** The operator's folder of lists. */
  readonly own: string;
  readonly client: HttpClient;
  readonly signal: AbortSignal;
  readonly now: Date;
  /** Milliseconds for the query. Default 90,000; Wikidata ends a query after 60 seconds. */
  readonly deadlineMs?: number;
}

const bodyBytesMax = 60_000_000;
/** Fewer are no answer to the query. */
const familiesMin = 100;
const partsMax = 60;
const nameCharsMax = 100;

const literal = z.object({ value: z.string() });
const answer = z.object({
  results: z.object({
    bindings: z.array(
      z.object({ name: literal, country: literal, website: literal, part: literal.optional() }),
    ),
  }),
});

/**
 * Fetches families of companies from Wikidata, and replaces the refreshed ones: the next process uses them beside the shipped ones. An answer
 * with fewer than 100 companies, or with less than half of those before, changes nothing. The file is renamed at the end, so that no
 * reader sees a part of it.
 *
 * @throws ValidationError when the address is not an https address.
 * @throws SourceUnreadable when the answer is not one to the query, with the reason.
 * @throws Misconfigured when the file cannot be written.
 * @throws EnrichError of `getText` when it cannot be fetched.
 */
export async function refreshFamilies(options: RefreshFamiliesOptions): Promise<RefreshedFamilies> {
  const { own, client, signal, now, deadlineMs = 90_000 } = options;
  const url = parseListUrl(options.from);
  const origin = `${url.origin}${url.pathname}`;
  url.searchParams.set('query', familiesQuery);
  url.searchParams.set('format', 'json');
  const parsed = answer.safeParse(
    parseJson(await getText(url, { signal, deadlineMs, bodyBytesMax }, client), 'The query service'),
  );
  if (!parsed.success)
    throw new SourceUnreadable('The answer is not a result of the query. Nothing was changed.');
  const families = familiesOf(parsed.data.results.bindings);
  rejectFew(families.length, own);
  const file = refreshedFamiliesFile(own);
  await write(file, families, origin, now);
  const parts = families.reduce((sum, { brands }) => sum + brands.length, 0);
  return { file, origin, families: families.length, parts };
}

function familiesOf(rows: z.infer<typeof answer>['results']['bindings']): readonly Family[] {
  const found = new Map<string, { domains: Set<string>; brands: Set<string> }>();
  for (const { name, country, website, part } of rows) {
    const parsed = parseDomain(website.value);
    const usable = isName(name.value) && /^[A-Z]{2}$/.test(country.value) && parsed.kind === 'domain';
    if (!usable || isSharedHost(parsed.domain)) continue;
    const key = `${country.value} ${name.value}`;
    const family = found.get(key) ?? { domains: new Set(), brands: new Set() };
    found.set(key, family);
    family.domains.add(parsed.domain);
    if (part !== undefined && isName(part.value) && part.value !== name.value) family.brands.add(part.value);
  }
  return [...found].map(([key, { domains, brands }]) => ({
    country: key.slice(0, 2),
    names: [key.slice(3)],
    brands: [...brands].slice(0, partsMax),
    domains: [...domains],
    namesakes: [],
  }));
}

/** True for a name that fits a line of the file. An item without an English label has its id as the name. */
function isName(text: string): boolean {
  return text.length > 1 && text.length <= nameCharsMax && !/[;|\p{C}]|^[@!#\s]|^Q\d+$/u.test(text);
}

function rejectFew(count: number, own: string): void {
  const before = parseFamilies(readRefreshedFamilies(own) ?? '').length;
  if (count >= familiesMin && count * 2 >= before) return;
  throw new SourceUnreadable(
    `The answer has ${count} companies, before there were ${before}, and at least ${familiesMin} are expected. Nothing was changed.`,
  );
}

async function write(file: string, families: readonly Family[], origin: string, now: Date): Promise<void> {
  const head = [
    '# Families of companies, which `companies match` uses beside the shipped ones.',
    `# Origin: ${origin}`,
    `# Date: ${now.toISOString().slice(0, 10)}`,
    `# Licence: ${origin === wikidataUrl ? 'CC0-1.0' : 'as its origin has it'}`,
    '# Refresh: nightshift lists refresh --companies',
  ];
  const lines = families.map(lineOf).sort();
  const aside = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(aside, [...head, ...lines, ''].join('\n'), { flush: true });
    await rename(aside, file);
  } catch (cause) {
    // A file that was not written cannot be removed.
    await rm(aside, { force: true }).catch(() => undefined);
    throw new Misconfigured(`The list cannot be written to ${file}.`, { cause });
  }
}

function lineOf({ country, names, brands, domains }: Family): string {
  const parts = brands.length === 0 ? [] : [brands.join('; ')];
  return [`${country} ${names.join('; ')}`, ...parts, `@${domains.join(' ')}`].join(' | ');
}
