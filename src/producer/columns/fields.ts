/** The fields that a column of a list can hold for us. */
export const companyFields = ['company_domain', 'company_name', 'email'] as const;
export type CompanyField = (typeof companyFields)[number];
