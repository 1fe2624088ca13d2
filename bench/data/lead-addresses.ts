import { companyDomain } from './company-names.ts';
import { randomAt } from './random.ts';

export interface LeadAddressesOptions {
  readonly seed: number;
  readonly count: number;
  /** Number of companies over which the addresses are spread, the first ones more often; null gives every address its own domain. */
  readonly companies: number | null;
  /** Index of the first company: files with other companies share none. */
  readonly firstCompany: number;
}

/** Per 1,000 addresses; the rest are plain, `jane.doe@company.com`. */
const perMille = { bad: 20, slip: 5, tag: 15, capitals: 60, role: 80 };
const atProviderPerMille = 300;
/** Interval of companies with a domain beyond ASCII. */
const internationalEvery = 67;

const firstNames = (
  'anna ben carla david elena felix greta hugo ines jan katja lars maria nils olga paul rosa sven tina uwe vera ' +
  'james mary john linda robert susan michael karen pierre claire luc sofia marco giulia jose carmen'
).split(' ');
const lastNames = (
  'schmidt mueller weber wagner becker hoffmann koch richter klein wolf smith johnson brown taylor wilson moore ' +
  'martin bernard dubois rossi bianchi garcia fernandez lopez jansen visser novak kowalski larsen berg'
).split(' ');
const roles = ['info', 'sales', 'contact', 'office', 'hello', 'support', 'marketing', 'jobs'];
/** Providers, weighted by repetition. */
const providers = (
  'gmail.com gmail.com gmail.com gmail.com gmail.com gmail.com gmail.com gmail.com outlook.com outlook.com hotmail.com ' +
  'hotmail.com yahoo.com yahoo.com icloud.com gmx.de gmx.de web.de t-online.de aol.com yahoo.co.uk orange.fr libero.it proton.me'
).split(' ');
const slips = ['gmial.com', 'gmail.con', 'hotmial.com', 'yaho.com', 'outlok.com', 'gmai.com'];
const umlauts = ['müller', 'bäcker', 'größe', 'köln', 'señal', 'café', 'søren', 'łódź'];
const spoil: readonly ((name: string, domain: string) => string)[] = [
  (name, domain) => `${name}${domain}`,
  (name, domain) => `${name}.@${domain}`,
  (name, domain) => `${name} @${domain}`,
  (name, domain) => `${name}@${domain},`,
  (name, domain) => `${name}@${domain.slice(0, domain.indexOf('.'))}`,
  (name) => `${name}@`,
  (name, domain) => `${name}@@${domain}`,
  (name, domain) => `${name}@www..${domain}`,
];

/**
 * Addresses as in files of leads, unordered; always the same for a seed. Each text is one flat string, like a text that was
 * read from a file.
 */
export function leadAddresses(options: LeadAddressesOptions): readonly string[] {
  return Array.from({ length: options.count }, (_, index) =>
    Buffer.from(leadAddress(options, index)).toString(),
  );
}

function leadAddress({ seed, companies, firstCompany }: LeadAddressesOptions, index: number): string {
  const random = (draw: number) => randomAt(seed + draw, index);
  const pick = (list: readonly string[], draw: number) => list[Math.floor(random(draw) * list.length)] ?? '';
  const company = companies === null ? index : Math.floor(random(1) ** 2 * companies);
  const own = domainOf(firstCompany + company);
  const atProvider = companies !== null && random(2) * 1000 < atProviderPerMille;
  const domain = atProvider ? pick(providers, 3) : own;
  const name = nameOf(pick(firstNames, 4), pick(lastNames, 5), random(6));
  return write(random(7) * 1000);

  function write(lot: number): string {
    let from = 0;
    const falls = (share: number) => lot < (from += share);
    if (falls(perMille.bad)) return (spoil[Math.floor(random(8) * spoil.length)] ?? join)(name, domain);
    if (falls(perMille.slip)) return join(name, companies === null ? domain : pick(slips, 8));
    if (falls(perMille.tag)) return join(`${name}+news`, domain);
    if (falls(perMille.capitals)) return join(name, domain).replace(/(?<=^|[.@])[a-z]/g, upper);
    if (falls(perMille.role)) return join(pick(roles, 8), own);
    return join(name, domain);
  }
}

function domainOf(company: number): string {
  const domain = companyDomain(company);
  if (company % internationalEvery !== 0) return domain;
  return `${umlauts[company % umlauts.length] ?? ''}-${domain}`;
}

const upper = (letter: string) => letter.toUpperCase();

/** `jane.doe`, `jdoe`, `jane`, or `jane.doe42`, the first most often. */
function nameOf(first: string, last: string, lot: number): string {
  if (lot < 0.6) return `${first}.${last}`;
  if (lot < 0.75) return `${first.charAt(0)}${last}`;
  return lot < 0.9 ? first : `${first}.${last}${Math.floor(lot * 1000) % 100}`;
}

function join(name: string, domain: string): string {
  return `${name}@${domain}`;
}
