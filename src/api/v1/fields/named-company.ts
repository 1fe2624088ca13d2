import type { NamedCompany } from '../../../core/reports/reported-ads.ts';

/** Converts a company to its domain and name. After a purge only its key is known: its domain, or its normalised name. */
export function toNamedCompany({ key, domain, name }: NamedCompany) {
  const isUnnamed = domain === null && name === null;
  return {
    company_domain: isUnnamed && key.startsWith('d:') ? key.slice(2) : domain,
    company_name: isUnnamed && key.startsWith('n:') ? key.slice(2) : name,
  };
}
