import type { NamedCompany } from './company.tsx';

/** Company as requests name it: its domain, its name, or both. */
export function companyRequest({ company_domain: domain, company_name: name }: NamedCompany): {
  company_domain?: string;
  company_name?: string;
} {
  return {
    ...(domain === null ? {} : { company_domain: domain }),
    ...(name === null ? {} : { company_name: name }),
  };
}
