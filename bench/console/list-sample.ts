import { parseCompany, type CompanyQuery } from '../../src/core/companies/company.ts';
import { listRows, type ListOptions } from '../data/company-list.ts';
import { answerAbout } from './synthetic-source.ts';

/** A sample of a file: values that users search for. */
export interface ListSample {
  /** Companies with a domain that have ads, unordered. */
  readonly found: readonly (CompanyQuery & { readonly domain: string })[];
  /** Companies with a name and no domain. */
  readonly nameless: readonly (CompanyQuery & { readonly name: string })[];
  /** Advertisers of exactly one company. */
  readonly advertiserIds: readonly string[];
}

/** Picks this many of each from the whole file. */
export function sampleList(list: ListOptions, count: number): ListSample {
  const companies = [...listRows(list)].flatMap(({ cells: [name = '', domain = ''], company }) => {
    const parsed = parseCompany({ name, domain });
    return company === -1 || parsed.kind === 'rejected' ? [] : [parsed.company];
  });
  const found = companies.flatMap((company) => {
    const { domain } = company;
    if (domain === null) return [];
    const answer = answerAbout(company, list.seed);
    return answer.kind === 'found' ? [{ ...company, domain, ads: answer.ads }] : [];
  });
  const nameless = companies.flatMap((company) =>
    company.domain === null && company.name !== null ? [{ ...company, name: company.name }] : [],
  );
  return {
    found: spread(found, count),
    nameless: spread(nameless, count),
    advertiserIds: spread(found, count).map(
      ({ ads }) => ads.at(1)?.advertiserId ?? ads[0]?.advertiserId ?? '',
    ),
  };
}

/** This many items at equal distances. */
function spread<T>(items: readonly T[], count: number): readonly T[] {
  return Array.from(
    { length: count },
    (_, i) => items[Math.floor(((i + 0.5) * items.length) / count)],
  ).filter((item) => item !== undefined);
}
