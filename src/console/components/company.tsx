/** Name of a company, as in its batch. */
export interface Called {
  readonly company_domain: string | null;
  readonly company_name: string | null;
}

/** The name of a company, and its domain where that says more. */
export function companyLabel({ company_domain: domain, company_name: name }: Called): string {
  if (name === null || domain === null) return name ?? domain ?? 'a company that is forgotten';
  return name.toLowerCase() === domain ? domain : `${name} (${domain})`;
}
