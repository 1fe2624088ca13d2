import { companyFields } from './company-file.ts';
import type { CompanyField } from './company-file.ts';

/**
 * The header names by which a field is known, the most telling first: where a file has several of them, the first wins.
 *
 * Case, blanks, underscores, hyphens and dots do not count. Our choice, from the headers that CRM exports and public lists
 * of companies have.
 */
const aliases: Readonly<Record<CompanyField, readonly string[]>> = {
  company_domain: [
    'company domain',
    'domain',
    'company domain name',
    'domain name',
    'root domain',
    'primary domain',
    'website domain',
    'company website',
    'website',
    'company website url',
    'website url',
    'website address',
    'web site url',
    'company url',
    'homepage',
    'homepage url',
    'company homepage',
    'url',
    'web address',
    'site url',
    'web page',
    'site',
    'web',
  ],
  company_name: [
    'company name',
    'company',
    'account name',
    'account',
    'business name',
    'organization name',
    'organisation name',
    'organization',
    'organisation',
    'brand name',
    'brand',
    'advertiser name',
    'advertiser',
    'legal name',
    'business',
    'employer',
    'firm',
    'name',
  ],
  email: [
    'email',
    'email address',
    'work email',
    'work email address',
    'business email',
    'business email address',
    'company email',
    'contact email',
    'primary email',
    'mail address',
    'mail',
  ],
};

const ranks = new Map(
  companyFields.flatMap((field) =>
    aliases[field].map((alias, rank) => [headerKey(alias), { field, rank }] as const),
  ),
);

/** The field a header name stands for and its rank among the names of that field, 0 the most telling; or null. */
export function findAlias(header: string): { readonly field: CompanyField; readonly rank: number } | null {
  return ranks.get(headerKey(header)) ?? null;
}

/** What counts of a header name when names are compared. */
export function headerKey(header: string): string {
  return header.toLowerCase().replace(/[\s_.-]+/g, '');
}
