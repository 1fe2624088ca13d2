import { parseCompany } from '../../core/company.ts';
import { Problem } from '../problem.ts';

/** The company that a list is narrowed down to. */
export interface CompanyFilter {
  readonly company_domain?: string | undefined;
  readonly company_name?: string | undefined;
}

/** The key of the company that is named; null for none. @throws Problem where the two name no company. */
export function readCompanyFilter({
  company_domain: domain,
  company_name: name,
}: CompanyFilter): string | null {
  if (domain === undefined && name === undefined) return null;
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'company') return parsed.company.key;
  throw new Problem('validation_error', { titles: [`company_domain, company_name: ${parsed.reason}`] });
}
