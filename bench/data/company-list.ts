import { confidencePercent, matchId } from '../../db/stores/ads/advertiser-matches.ts';
import { parseCompany } from '../../src/core/companies/company.ts';
import { profileCompany, type MatchedCompany } from '../../src/core/companies/match/company-profile.ts';
import { nameKeys } from '../../src/core/companies/name-keys.ts';
import { evaluateAdvertisers } from '../../src/sources/snapshot/evaluate-advertisers.ts';
import { advertiserLocation, companyDomain, companyName } from './company-names.ts';
import { randomAt } from './random.ts';
import { writeLines } from './write-lines.ts';

/** A file of companies: `companies` distinct ones from the names of a fixture, some of them twice, and some unusable rows. */
export interface ListOptions {
  readonly seed: number;
  readonly companies: number;
  /** Number of distinct names; beyond it names repeat, each with another domain, which makes it another company. */
  readonly names: number;
  /** Index of the first company, so that lists share none. Default 0. */
  readonly firstCompany?: number;
  /** Rows per 1,000 companies that repeat one, and that name none. Default 19 and 1. */
  readonly repeatsPerMille?: number;
  readonly rejectsPerMille?: number;
}

/** A line of the file. */
export interface ListRow {
  /** Company, website, country, employees, note. */
  readonly cells: readonly string[];
  /** Index of its company in the list, or -1 for none. */
  readonly company: number;
}

export const listHeader = ['company', 'website', 'country', 'employees', 'note'];
const countries = ['DE', 'FR', 'US', 'NL', 'SE'];
const notes = [
  '',
  'met at the fair in Hanover in April, wants a quote',
  'asked twice, called back; speak to the new marketing lead',
  'renewal due at the end of the third quarter',
];

/** Rows of a file, in order. */
export function* listRows(options: ListOptions): Generator<ListRow> {
  const { seed, companies, repeatsPerMille = 19, rejectsPerMille = 1 } = options;
  for (let i = 0; i < companies; i += 1) {
    yield rowOf(options, i, false);
    const chance = randomAt(seed + 5, i) * 1000;
    if (chance < repeatsPerMille) yield rowOf(options, Math.floor(randomAt(seed + 6, i) * (i + 1)), true);
    else if (chance < repeatsPerMille + rejectsPerMille)
      yield { cells: ['n/a', '', 'DE', '', 'no name given'], company: -1 };
  }
}

function rowOf({ names, seed, firstCompany = 0 }: ListOptions, index: number, isRepeat: boolean): ListRow {
  const company = firstCompany + index;
  const cells = [
    companyName(company % names),
    websiteOf({ company, names }, company >= names || randomAt(seed + 7, company) < 0.6, isRepeat),
    countries[company % countries.length] ?? '',
    String(10 + (company % 5000)),
    notes[company % notes.length] ?? '',
  ];
  return { cells, company: index };
}

function websiteOf(
  { company, names }: { readonly company: number; readonly names: number },
  hasDomain: boolean,
  isRepeat: boolean,
): string {
  if (!hasDomain) return '';
  const domain = companyDomain(company % names, Math.floor(company / names));
  return isRepeat ? `https://www.${domain}/contact` : domain;
}

/** Writes the file in the form that users have. */
export async function writeList(options: ListOptions, path: string): Promise<void> {
  await writeLines(path, plainLines(options));
}

function* plainLines(options: ListOptions): Generator<string> {
  yield listHeader.join(',');
  for (const { cells } of listRows(options)) yield cells.map(field).join(',');
}

/** Writes the same file with the keys that the producer derives from each row, for loading with COPY alone. */
export async function writeKeyedList(options: ListOptions, path: string): Promise<void> {
  await writeLines(path, keyedLines(options));
}

function* keyedLines(options: ListOptions): Generator<string> {
  let rowNo = 0;
  for (const { cells } of listRows(options)) {
    rowNo += 1;
    yield [String(rowNo), String(rowNo + 1), ...cells, ...keysOf(cells)].map(field).join(',');
  }
}

/**
 * Company key, domain, name, name key, reject reason, warning, and the evaluation of the advertiser of that name: how it was found, id,
 * percent and reasons; empty if there is none.
 */
function keysOf([name = '', domain = '']: readonly string[]): readonly string[] {
  const parsed = parseCompany({ name, domain });
  if (parsed.kind === 'rejected') return ['', '', '', '', parsed.reason, '', '', '', '', ''];
  const { company, warning } = parsed;
  const [nameKey = '', ...more] = nameKeys(company.name ?? '');
  if (more.length > 0) throw new Error(`${name} has several keys; the list is to have one each.`);
  const { match, matchedBy } = evaluate({ name: company.name, domain: company.domain }, name);
  const stored = [matchId(match), confidencePercent(match)].map(String);
  const evaluation = [matchedBy, ...stored, match.reasons.join(' ')];
  return [company.key, company.domain ?? '', company.name ?? '', nameKey, '', warning ?? '', ...evaluation];
}

/** The evaluation of the advertiser with the name of a company, which is its own, as the snapshot evaluates it. */
function evaluate(company: MatchedCompany, name: string) {
  const advertiser = {
    key: 0n,
    advertiserId: '',
    disclosedName: name,
    legalName: name,
    location: advertiserLocation,
  };
  const { own, isByLabel } = evaluateAdvertisers(profileCompany(company), [{ ...advertiser, adsCount: 1 }]);
  const [found] = own;
  if (found === undefined) throw new Error(`${name} does not own the ads of its name.`);
  return { match: found.match, matchedBy: isByLabel ? 'domain_label' : 'name' };
}

function field(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
