/** Name and domain of a company, as in its batch. */
export interface NamedCompany {
  readonly company_domain: string | null;
  readonly company_name: string | null;
}

/** Formats a company: its name, with the domain where it differs. */
export function companyLabel({ company_domain: domain, company_name: name }: NamedCompany): string {
  if (name === null || domain === null) return name ?? domain ?? 'erased company';
  return name.toLowerCase() === domain ? domain : `${name} (${domain})`;
}
