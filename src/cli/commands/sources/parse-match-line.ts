import { parseCompany } from '../../../core/companies/company.ts';
import type { MatchedAdvertiser } from '../../../core/companies/match/advertiser-profile.ts';
import type { MatchedCompany } from '../../../core/companies/match/company-profile.ts';

/** A line of `companies match --ndjson`, or why it is not one. */
export type ParsedMatchLine =
  | {
      readonly kind: 'pair';
      /** Passed on to the result; undefined without one. */
      readonly id: unknown;
      readonly company: MatchedCompany;
      readonly advertiser: MatchedAdvertiser;
    }
  | { readonly kind: 'invalid'; readonly reason: string };

/** Parses a line: a JSON object with a company and an advertiser. Fields may be missing or null; unknown ones are ignored. Never throws. */
export function parseMatchLine(text: string): ParsedMatchLine {
  const line = parseObject(text);
  if (line === null)
    return invalid(
      'not a JSON object, such as {"company_name": "Acme", "company_domain": "acme.com", "advertiser_name": "Acme Europe B.V.", ' +
        '"found_by": "domain"}',
    );
  const wrong = whyWrong(line);
  if (wrong !== null) return invalid(wrong);
  return {
    kind: 'pair',
    id: line.get('id'),
    company: companyOf(line),
    advertiser: {
      name: textOf(line, 'advertiser_name'),
      // A search by name says less: the careful default.
      foundBy: line.get('found_by') === 'domain' ? 'domain' : 'name',
      legalName: textOf(line, 'advertiser_legal_name'),
      location: textOf(line, 'advertiser_location'),
      verified: booleanOf(line, 'advertiser_verified'),
      adsCount: numberOf(line, 'ads_count'),
      targetDomains: textsOf(line, 'target_domains'),
    },
  };
}

type Line = ReadonlyMap<string, unknown>;

const textFields = [
  'company_name',
  'company_domain',
  'company_country',
  'advertiser_name',
  'advertiser_legal_name',
  'advertiser_location',
] as const;

function invalid(reason: string): ParsedMatchLine {
  return { kind: 'invalid', reason };
}

function parseObject(text: string): Line | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return new Map(Object.entries(value));
  } catch {
    return null;
  }
}

function whyWrong(line: Line): string | null {
  const field = textFields.find((name) => isWrong(line.get(name), (value) => typeof value === 'string'));
  if (field !== undefined) return `"${field}" is not a string or null`;
  if (isWrong(line.get('found_by'), (value) => value === 'domain' || value === 'name'))
    return '"found_by" is not "domain" or "name"';
  if (isWrong(line.get('advertiser_verified'), (value) => typeof value === 'boolean'))
    return '"advertiser_verified" is not true, false or null';
  if (isWrong(line.get('ads_count'), (value) => Number.isSafeInteger(value) && Number(value) >= 0))
    return '"ads_count" is not a whole number';
  return isWrong(line.get('target_domains'), isTexts) ? '"target_domains" is not an array of strings' : null;
}

function isWrong(value: unknown, isRight: (value: unknown) => boolean): boolean {
  return value !== undefined && value !== null && !isRight(value);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Reads the company as a file of companies would be read; an unusable one has neither name nor domain. */
function companyOf(line: Line): MatchedCompany {
  const parsed = parseCompany({
    name: textOf(line, 'company_name') ?? undefined,
    domain: textOf(line, 'company_domain') ?? undefined,
  });
  const country = textOf(line, 'company_country');
  if (parsed.kind === 'rejected') return { name: null, domain: null, country };
  return { name: parsed.company.name, domain: parsed.company.domain, country };
}

function textOf(line: Line, field: string): string | null {
  const value = line.get(field);
  return typeof value === 'string' ? value : null;
}

function booleanOf(line: Line, field: string): boolean | null {
  const value = line.get(field);
  return typeof value === 'boolean' ? value : null;
}

function numberOf(line: Line, field: string): number | null {
  const value = line.get(field);
  return typeof value === 'number' ? value : null;
}

function textsOf(line: Line, field: string): readonly string[] | null {
  const value = line.get(field);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
}
