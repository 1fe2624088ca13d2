import type { AdText } from '../ads/ad.ts';
import type { Numbers } from './numbers.ts';
import type { SampleAdvertiser } from './sample-advertisers.ts';

/** Say nothing that a company could not say, and promise nothing for it. `%` stands for the brand. */
const headlines = [
  'New this season at %',
  'Discover %',
  'See what is new at %',
  '%: made for every day',
  'Plan ahead with %',
  'Find your favourite at %',
  '% for your team',
  'A closer look at %',
  '%, now near you',
  'Start with %',
];
const descriptions = [
  'Browse the whole range online.',
  'Learn more about it on our site.',
  'See it in action in two minutes.',
  'Find answers to your questions.',
  'Compare the options side by side.',
  'Visit us and take a look.',
  'Sign up and stay informed.',
];

/**
 * Writes the texts of an ad in a revision, the first one being 0. Every revision differs from the one before: in its headline or in its
 * description, in turn.
 *
 * @param numbers those of the ad.
 */
export function sampleText(advertiser: SampleAdvertiser, numbers: Numbers, revision: number): AdText {
  const brand = brandOf(advertiser);
  const label = brand
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  return {
    headline: next(headlines, numbers('headline'), Math.ceil(revision / 2)).replace('%', () => brand),
    description: next(descriptions, numbers('description'), Math.floor(revision / 2)),
    displayUrl: `example.com/${label}`,
    finalUrl: `https://example.com/${encodeURIComponent(label)}`,
    adType: null,
  };
}

/** The value so many places after the one that a number picks. */
function next(values: readonly string[], number: number, places: number): string {
  return values[(Math.floor(number * values.length) + places) % values.length] ?? '';
}

const legalForms =
  /(?:,? (?:Inc\.|Incorporated|Corporation|Company|Group|Ltd\.?|plc|PLC|AG|SE|SA|S\.A\.|BV|NV|AB|A\/S|GmbH|DAC|S\.p\.A\.|S\.R\.L\.|sp\. z o\.o\.|Pty Ltd|International|Technologies|& Co\.)|株式会社)$/u;

/** The name of an advertiser as it is spoken of: without its legal form. */
export function brandOf([disclosedName]: SampleAdvertiser): string {
  let name = disclosedName.replace(/ \(The\)$/, '').replace(/^The /, '');
  while (legalForms.test(name)) name = name.replace(legalForms, '');
  return name;
}
