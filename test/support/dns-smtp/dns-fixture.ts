import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/package-root.ts';
import type { DnsName, DnsError, DnsZone } from './dns-server.ts';

/** A domain, and whether mail can reach it; null if this is unknown. */
export interface FixtureCase {
  readonly domain: string;
  readonly deliverable: boolean | null;
  readonly reason: string;
  /** Preference and name of its mail hosts, in order. */
  readonly mx?: readonly (readonly [number, string])[];
}

export interface DnsFixture {
  readonly cases: readonly FixtureCase[];
  readonly zone: DnsZone;
}

interface FixtureFile {
  readonly zone: readonly {
    readonly query: { readonly name: string; readonly type: string };
    readonly answer: readonly string[];
  }[];
  readonly cases: readonly FixtureCase[];
}

/** Domains and zone of python-email-validator's tests, if they exist beside the checkout. */
const shared = join(packageRoot, '..', 'shared', 'corpora', 'email', 'joshdata-dns.json');

/** Reads the fixture; null if it does not exist beside the checkout. Mail hosts without an address get a public one. */
export function readDnsFixture(): DnsFixture | null {
  if (!existsSync(shared)) return null;
  const { cases, zone } = JSON.parse(readFileSync(shared, 'utf8')) as FixtureFile;
  const names: Record<string, DnsName | DnsError> = { 'timeout.com': 'silence' };
  for (const { query, answer } of zone) {
    const { name, type } = query;
    const known = names[name];
    if (type === 'ANY') names[name] = 'NXDOMAIN';
    else names[name] = { ...(typeof known === 'object' ? known : {}), ...recordsOf(type, answer) };
  }
  for (const host of Object.values(names).flatMap(hostsOf)) names[host] ??= { A: ['8.8.8.8'] };
  return { cases, zone: names };
}

function hostsOf(entry: DnsName | DnsError): readonly string[] {
  if (typeof entry === 'string' || entry.MX === undefined || typeof entry.MX === 'string') return [];
  return entry.MX.map(([, host]) => host.replace(/\.$/, '')).filter((host) => host !== '');
}

function recordsOf(type: string, answer: readonly string[]): DnsName {
  switch (type) {
    case 'MX':
      return {
        MX: answer.map((text) => {
          const [preference = '', exchange = ''] = text.split(' ');
          return [Number(preference), exchange] as const;
        }),
      };
    case 'A':
      return { A: answer };
    case 'AAAA':
      return { AAAA: answer };
    case 'TXT':
      return { TXT: answer.map((text) => text.replace(/^"|"$/g, '')) };
    default:
      throw new Error(`The fixture has a record of a type that nobody reads here: ${type}`);
  }
}
