import { google, qualifiedId } from '../../src/core/companies/platform-id.ts';
import type { Ad } from '../../src/core/ads/ad.ts';
import { adPageUrl } from '../../src/core/ads/ad.ts';
import type { LocalAdSource } from '../../src/core/sources/ad-source.ts';
import type { AdsAnswer } from '../../src/core/ads/ads-answer.ts';
import type { CompanyQuery } from '../../src/core/companies/company.ts';
import { addDays } from '../../src/core/time/day.ts';
import { companyName } from '../data/company-names.ts';
import { hashOf, randomAt } from '../data/random.ts';

/** Outcomes per thousand companies; the rest is `no_match`. */
const perMille = { found: 300, none: 350 };
/** Ads of a company with ads: from 1 to this maximum, more often few than many; and this many for one company in a few hundred. */
const adsMax = 43;
const giantEvery = 15_000;
const adsOfGiant = 2000;

/** An agency advertises for one company in this many, with every third of its ads. */
const agencies = 40;
const agencyEvery = 10;

const newestDay = '2026-11-01';
const daysBack = 700;
const runDaysMax = 300;
/** One ad in this many has a rare format, and one contains a rare word. */
const rareFormatEvery = 3000;
const rareWordEvery = 5000;

/** Rare format, for filters that match hardly any ad. */
export const rareFormat = 'Carousel';
export const rareAdWord = 'zeppelin';

const goods = 'shoes software tools coffee furniture bikes insurance lighting travel pumps'.split(' ');
const offers = [
  'Spring sale',
  'Free delivery',
  'Book a demo',
  'Save 20% today',
  'Made to last',
  'Ask for a quote',
  'New season',
];
const pitches = [
  'Delivered within two days, returned free of charge.',
  'Trusted by more than 4,000 companies, rated 4.8 of 5.',
  'Try it for thirty days; cancel whenever you like.',
];

/** Synthetic live source from a seed: the same answer for a company in every process. */
export function createSyntheticSource(name: string, seed: number): LocalAdSource {
  return {
    kind: 'local',
    name,
    ownMapping: (mapping) => mapping,
    findAds: (questions) => Promise.resolve(questions.map(({ company }) => answerAbout(company, seed))),
  };
}

/** Answer for one company. */
export function answerAbout(company: CompanyQuery, seed: number): AdsAnswer {
  const id = hashOf(company.key);
  const lot = randomAt(seed, id) * 1000;
  const matchedBy = company.domain === null ? 'name' : 'domain';
  if (lot >= perMille.found + perMille.none) return { kind: 'no_match' };
  if (lot >= perMille.found) return { kind: 'none', matchedBy };
  const count = id % giantEvery === 0 ? adsOfGiant : 1 + Math.floor(randomAt(seed + 1, id) ** 3 * adsMax);
  return {
    kind: 'found',
    ads: Array.from({ length: count }, (_, n) => adOf(company, { id, n, seed })),
    matchedBy,
  };
}

/** Id of the nth agency. */
export function agencyId(n: number): string {
  return `AR${digits(n + 1)}`;
}

interface NavItem {
  readonly id: number;
  readonly n: number;
  readonly seed: number;
}

function adOf(company: CompanyQuery, { id, n, seed }: NavItem): Ad {
  const random = (draw: number) => randomAt(seed + draw, id + n * 7919);
  const pick = (list: readonly string[], draw: number) => list[Math.floor(random(draw) * list.length)] ?? '';
  const isAgencys = id % agencyEvery === 0 && n % 3 === 0;
  const agency = Math.floor((id / agencyEvery) % agencies);
  const advertiserId = isAgencys ? agencyId(agency) : `AR${digits(id + agencies + 1)}`;
  const creativeId = `CR${digits(id * 10_000 + n)}`;
  const product = pick(goods, 2);
  const site = company.domain ?? 'shop.example';
  const lastSeen = addDays(newestDay, -Math.floor(random(3) ** 2 * daysBack));
  const format = formatOf(random(4));
  return {
    advertiserId: qualifiedId(google, advertiserId),
    creativeId: qualifiedId(google, creativeId),
    advertiserName: isAgencys ? `${companyName(agency)} Agency` : (company.name ?? site),
    format,
    originalUrl: adPageUrl(advertiserId, creativeId),
    variants: format === 'Image' ? [markupOf(creativeId)] : [],
    start: addDays(lastSeen, -Math.floor(random(5) * runDaysMax)),
    lastSeen,
    text: {
      headline: `${pick(offers, 6)} on ${random(7) * rareWordEvery < 1 ? rareAdWord : product}`,
      description: pick(pitches, 8),
      displayUrl: `www.${site}/${product}`,
      finalUrl: `https://www.${site}/${product}?utm_source=ads&utm_campaign=${n}`,
      adType: 'text',
    },
  };
}

function formatOf(lot: number): string {
  if (lot * rareFormatEvery < 1) return rareFormat;
  if (lot < 0.6) return 'Text';
  return lot < 0.87 ? 'Image' : 'Video';
}

function markupOf(creativeId: string) {
  const content = `<img src="https://tpc.googlesyndication.com/archive/simgad/${creativeId.slice(2)}" height="250" width="300">`;
  return { content, height: 250, width: 300 };
}

function digits(number: number): string {
  return String(number).padStart(20, '0');
}
