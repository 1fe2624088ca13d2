import { parseCompany, type CompanyQuery } from '../../../core/companies/company.ts';
import { Problem } from '../../http/problem.ts';

/** Company as a request names it. */
export interface CompanyOfRequest {
  readonly company_domain?: string | undefined;
  readonly company_name?: string | undefined;
}

/** Parses the company of a request that has to name one, to its key. @throws Problem `validation_error` */
export function requiredKeyOf(company: CompanyOfRequest): string {
  return requiredCompanyOf(company).key;
}

/** Parses the company of a request that has to name one. @throws Problem `validation_error` */
export function requiredCompanyOf(named: CompanyOfRequest): CompanyQuery {
  const company = companyOf(named);
  if (company !== null) return company;
  throw new Problem('validation_error', {
    titles: ['company_domain, company_name: one of them is required'],
  });
}

/** Parses the company of a query to its key. Null if the query names none. @throws Problem `validation_error` */
export function companyKeyOf(named: CompanyOfRequest): string | null {
  return companyOf(named)?.key ?? null;
}

function companyOf({ company_domain: domain, company_name: name }: CompanyOfRequest): CompanyQuery | null {
  if (domain === undefined && name === undefined) return null;
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'company') return parsed.company;
  throw new Problem('validation_error', { titles: [`company_domain, company_name: ${parsed.reason}`] });
}
