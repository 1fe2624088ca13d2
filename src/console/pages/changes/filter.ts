import type { Query } from '../../api/use-query.ts';
import { browserTimeZone } from '../../components/dates/days.ts';
import { kindLabels, type Kind } from './change-labels.ts';

/** Filter of changes in the URL; empty: any. */
export interface Filter {
  readonly schedule: string;
  readonly day: string;
  readonly scan: string;
  readonly company: string;
  readonly kinds: readonly Kind[];
  /** Format of the ad, such as `Video`. */
  readonly format: string;
  /** Age of the oldest changes, such as `7d`. */
  readonly since: string;
}

const kinds = Object.keys(kindLabels) as readonly Kind[];

/** Parses the filter of the URL. */
export function readFilter({ get }: Pick<Query, 'get'>): Filter {
  const chosen = get('kind').split(',');
  return {
    schedule: get('schedule'),
    day: /^\d{4}-\d\d-\d\d$/.test(get('day')) ? get('day') : '',
    scan: get('scan'),
    company: get('company'),
    kinds: kinds.filter((kind) => chosen.includes(kind)),
    format: get('ad_format'),
    since: /^\d{1,4}d$/.test(get('since')) ? get('since') : '',
  };
}

/** Parses a company as entered: text with a dot and no space is a domain, everything else a name. */
export function parseCompany(company: string): { company_domain?: string; company_name?: string } {
  const text = company.trim();
  if (text === '') return {};
  return /^\S+\.\S+$/.test(text) ? { company_domain: text } : { company_name: text };
}

/** Returns the parameters of the API for a filter. */
export function toQuery({ schedule, day, scan, kinds: chosen, format, since, company }: Filter) {
  return {
    ...(schedule === '' ? {} : { schedule }),
    ...(day === '' ? {} : { day, time_zone: browserTimeZone() }),
    ...(scan === '' ? {} : { scan }),
    ...(chosen.length === 0 ? {} : { kind: chosen.join(',') }),
    ...(format === '' ? {} : { ad_format: format }),
    ...(since === '' ? {} : { since }),
    ...parseCompany(company),
  };
}
