import { parseCompany } from '../../../core/companies/company.ts';
import { Problem } from '../../http/problem.ts';

/** Company as a request names it. */
export interface CompanyOfRequest {
  readonly company_domain?: string | undefined;
  readonly company_name?: string | undefined;
}

/** Parses the company of a request that has to name one, to its key. @throws Problem `validation_error` */
export function requiredKeyOf(company: CompanyOfRequest): string {
  const key = companyKeyOf(company);
  if (key !== null) return key;
  throw new Problem('validation_error', {
    titles: ['company_domain, company_name: one of them is required'],
  });
}

/** Parses the company of a query to its key. Null if the query names none. @throws Problem `validation_error` */
export function companyKeyOf({
  company_domain: domain,
  company_name: name,
}: CompanyOfRequest): string | null {
  if (domain === undefined && name === undefined) return null;
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'company') return parsed.company.key;
  throw new Problem('validation_error', { titles: [`company_domain, company_name: ${parsed.reason}`] });
}
