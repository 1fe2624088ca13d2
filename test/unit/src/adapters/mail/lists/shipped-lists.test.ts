import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listNames, readHead, readList } from '../../../../../../src/adapters/mail/lists/list-file.ts';
import { parseDomain } from '../../../../../../src/core/companies/domain.ts';
import { createDidYouMean } from '../../../../../../src/core/emails/lists/did-you-mean.ts';
import { mailListsFolder, packageRoot } from '../../../../../../src/package-root.ts';
import {
  shippedEntries,
  shippedFolders,
  shippedLists,
} from '../../../../../support/dns-smtp/shipped-lists.ts';

const domainLists = ['disposable', 'free', 'lookalikes', 'privacy-relays', 'providers'] as const;

describe.each(listNames)('the shipped list %s', (name) => {
  const text = readFileSync(join(mailListsFolder, `${name}.txt`), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  test('states its origin, its date, its licence and how to refresh it', () => {
    const { origin, date, licence } = readHead(text);
    expect(origin).not.toBeNull();
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(licence).toBe(name === 'disposable' ? 'CC0-1.0' : 'Apache-2.0');
    expect(text).toMatch(/^# Refresh: .+$/m);
  });

  test('is ASCII in lower case, with one space between columns', () => {
    expect(text).toMatch(/^[\n -~]*\n$/);
    expect(lines.filter((line) => !/^[a-z0-9._-]+(?: [a-z0-9.-]+)*$/.test(line))).toEqual([]);
  });

  test('is sorted, without duplicates', () => {
    const keys = lines.map((line) => line.split(' ', 1)[0] ?? '');
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  test('is valid', () => {
    expect(readList(name, shippedFolders).entries.size).toBe(lines.length);
  });
});

test('the folder has every list, and the package includes it', () => {
  const texts = readdirSync(mailListsFolder).filter((file) => file.endsWith('.txt'));
  expect(texts.sort()).toEqual(listNames.map((name) => `${name}.txt`));
  const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    files: string[];
  };
  expect(files).toContain('src/adapters/mail/lists/*.txt');
});

test('shipped lists have at least their expected size', () => {
  const sizes = Object.fromEntries(listNames.map((name) => [name, shippedEntries(name).length]));
  expect(sizes['disposable']).toBeGreaterThan(8_000);
  expect(sizes['free']).toBeGreaterThan(600);
  expect(sizes['role']).toBeGreaterThan(300);
  expect(sizes['mx-providers']).toBeGreaterThan(100);
  expect(sizes['privacy-relays']).toBeGreaterThan(30);
  expect(sizes['providers']).toBeGreaterThan(50);
});

describe('the shipped lists', () => {
  test('contain no public suffix', () => {
    const shared = domainLists
      .flatMap(shippedEntries)
      .filter((domain) => parseDomain(domain).kind !== 'domain');
    expect(shared).toEqual([]);
  });

  test('do not mark a provider, a free mailbox, a privacy relay or a parent domain of these as disposable', () => {
    const real = (['free', 'privacy-relays', 'providers'] as const).flatMap(shippedEntries);
    expect(real.filter((domain) => shippedLists.marksOf(domain).isDisposable)).toEqual([]);
  });

  test('do not mark a free mailbox as a privacy relay', () => {
    expect(shippedEntries('free').filter((domain) => shippedLists.marksOf(domain).isPrivacyRelay)).toEqual(
      [],
    );
  });

  test('mark every provider as a free mailbox', () => {
    const free = new Set(shippedEntries('free'));
    expect(shippedEntries('providers').filter((domain) => !free.has(domain))).toEqual([]);
  });

  test('have only lookalikes that would count as typos otherwise', () => {
    const withoutLookalikes = createDidYouMean(shippedEntries('providers'), () => false);
    const meant = (domain: string) =>
      withoutLookalikes({ asciiDomain: domain, registrableDomain: domain }, null);
    expect(shippedEntries('lookalikes').filter((domain) => meant(domain) === null)).toEqual([]);
    const marked = shippedEntries('lookalikes').filter((domain) => {
      const { isFree, isDisposable, isPrivacyRelay } = shippedLists.marksOf(domain);
      return isFree || isDisposable || isPrivacyRelay;
    });
    expect(marked).toEqual([]);
  });

  test('give every mail provider one kind', () => {
    const kinds = new Map<string, Set<string>>();
    for (const [id = '', kind = ''] of readList('mx-providers', shippedFolders).entries.values())
      kinds.set(id, (kinds.get(id) ?? new Set()).add(kind));
    const mixed = [...kinds].filter(([, of]) => of.size > 1).map(([id]) => id);
    // TransIP hosts mail and sells a filter.
    expect(mixed).toEqual(['transip']);
  });
});
