import type { Query } from '../../api/use-query.ts';
import { kindLabels, type Kind } from './change-labels.ts';

/** Filter of changes in the address; empty: any. */
export interface Filter {
  readonly schedule: string;
  readonly day: string;
  readonly scan: string;
  readonly company: string;
  readonly kinds: readonly Kind[];
}

const kinds = Object.keys(kindLabels) as readonly Kind[];

/** Reads the filter from the address. */
export function readFilter({ get }: Pick<Query, 'get'>): Filter {
  const asked = get('kind').split(',');
  return {
    schedule: get('schedule'),
    day: /^\d{4}-\d\d-\d\d$/.test(get('day')) ? get('day') : '',
    scan: get('scan'),
    company: get('company'),
    kinds: kinds.filter((kind) => asked.includes(kind)),
  };
}

/** A company as people write it: what has a dot and no space is a domain, everything else a name. */
export function companyOf(company: string): { company_domain?: string; company_name?: string } {
  const written = company.trim();
  if (written === '') return {};
  return /^\S+\.\S+$/.test(written) ? { company_domain: written } : { company_name: written };
}
