import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listNames, readHead, readList } from '../../../../../src/adapters/mail/list-file.ts';
import { parseDomain } from '../../../../../src/core/companies/domain.ts';
import { createDidYouMean } from '../../../../../src/core/emails/domains/did-you-mean.ts';
import { mailListsFolder, packageRoot } from '../../../../../src/package-root.ts';
import { shippedEntries, shippedFolders, shippedLists } from '../../../../support/dns-smtp/shipped-lists.ts';

const domainLists = ['disposable', 'free', 'lookalikes', 'privacy-relays', 'providers'] as const;

describe.each(listNames)('the list %s as it ships', (name) => {
  const text = readFileSync(join(mailListsFolder, `${name}.txt`), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

  test('says where it comes from, from when, under which licence, and how it is made anew', () => {
    const { origin, date, licence } = readHead(text);
    expect(origin).not.toBeNull();
    expect(date).toMatch(/^20\d\d-\d\d-\d\d$/);
    expect(licence).toBe(name === 'disposable' ? 'CC0-1.0' : 'Apache-2.0');
    expect(text).toMatch(/^# Refresh: .+$/m);
  });

  test('is ASCII, in lower case, with one blank between columns and nothing else around them', () => {
    expect(text).toMatch(/^[\n -~]*\n$/);
    expect(lines.filter((line) => !/^[a-z0-9._-]+(?: [a-z0-9.-]+)*$/.test(line))).toEqual([]);
  });

  test('is sorted, and names nothing twice', () => {
    const keys = lines.map((line) => line.split(' ', 1)[0] ?? '');
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  test('is read without an error', () => {
    expect(readList(name, shippedFolders).entries.size).toBe(lines.length);
  });
});

test('the folder holds the lists and nothing else, and ships with the package', () => {
  expect(readdirSync(mailListsFolder).sort()).toEqual(listNames.map((name) => `${name}.txt`));
  const { files } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    files: string[];
  };
  expect(files).toContain('src/adapters/mail/lists');
});

test('the lists are as long as they should be', () => {
  const sizes = Object.fromEntries(listNames.map((name) => [name, shippedEntries(name).length]));
  expect(sizes['disposable']).toBeGreaterThan(8_000);
  expect(sizes['free']).toBeGreaterThan(600);
  expect(sizes['role']).toBeGreaterThan(300);
  expect(sizes['mx-providers']).toBeGreaterThan(100);
  expect(sizes['privacy-relays']).toBeGreaterThan(30);
  expect(sizes['providers']).toBeGreaterThan(50);
});

describe('what the lists say together', () => {
  test('each domain is one that an owner has: no ending that many share', () => {
    const shared = domainLists
      .flatMap(shippedEntries)
      .filter((domain) => parseDomain(domain).kind !== 'domain');
    expect(shared).toEqual([]);
  });

  test('no provider, free mailbox or privacy relay is called disposable, nor is a domain above it', () => {
    const real = (['free', 'privacy-relays', 'providers'] as const).flatMap(shippedEntries);
    expect(real.filter((domain) => shippedLists.marksOf(domain).isDisposable)).toEqual([]);
  });

  test('no free mailbox is a privacy relay', () => {
    expect(shippedEntries('free').filter((domain) => shippedLists.marksOf(domain).isPrivacyRelay)).toEqual(
      [],
    );
  });

  test('each provider of the spelling is a free mailbox', () => {
    const free = new Set(shippedEntries('free'));
    expect(shippedEntries('providers').filter((domain) => !free.has(domain))).toEqual([]);
  });

  test('each lookalike would be called a slip if it were not listed, and is no mailbox or provider', () => {
    const blind = createDidYouMean(shippedEntries('providers'), () => false);
    const meant = (domain: string) => blind({ asciiDomain: domain, registrableDomain: domain }, null);
    expect(shippedEntries('lookalikes').filter((domain) => meant(domain) === null)).toEqual([]);
    const marked = shippedEntries('lookalikes').filter((domain) => {
      const { isFree, isDisposable, isPrivacyRelay } = shippedLists.marksOf(domain);
      return isFree || isDisposable || isPrivacyRelay;
    });
    expect(marked).toEqual([]);
  });

  test('who stands behind a mail host is of one kind everywhere', () => {
    const kinds = new Map<string, Set<string>>();
    for (const [id = '', kind = ''] of readList('mx-providers', shippedFolders).entries.values())
      kinds.set(id, (kinds.get(id) ?? new Set()).add(kind));
    const mixed = [...kinds].filter(([, of]) => of.size > 1).map(([id]) => id);
    // TransIP keeps mail and sells a filter.
    expect(mixed).toEqual(['transip']);
  });
});
