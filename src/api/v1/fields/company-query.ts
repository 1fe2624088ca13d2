import { parseCompany } from '../../../core/companies/company.ts';
import { Problem } from '../../http/problem.ts';

/** Parses the company of a query to its key. Null if the query names none. @throws Problem `validation_error` */
export function companyKeyOf({
  company_domain: domain,
  company_name: name,
}: {
  readonly company_domain?: string | undefined;
  readonly company_name?: string | undefined;
}): string | null {
  if (domain === undefined && name === undefined) return null;
  const parsed = parseCompany({ domain, name });
  if (parsed.kind === 'company') return parsed.company.key;
  throw new Problem('validation_error', { titles: [`company_domain, company_name: ${parsed.reason}`] });
}
