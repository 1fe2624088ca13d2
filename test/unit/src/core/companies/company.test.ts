import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseCompany } from '../../../../../src/core/companies/company.ts';

describe('parseCompany', () => {
  test('uses the domain as the key', () => {
    expect(parseCompany({ domain: 'https://www.Nike.com/' })).toEqual({
      kind: 'company',
      company: { key: 'd:nike.com', domain: 'nike.com', name: null },
      warning: null,
    });
  });

  test('keeps a name in addition to the domain', () => {
    expect(parseCompany({ domain: 'nike.com', name: ' Nike,\n Inc. ' })).toEqual({
      kind: 'company',
      company: { key: 'd:nike.com', domain: 'nike.com', name: 'Nike, Inc.' },
      warning: null,
    });
  });

  test('uses the normalised name as the key if there is no domain', () => {
    expect(parseCompany({ name: 'Nike, Inc.' })).toEqual({
      kind: 'company',
      company: { key: 'n:nike', domain: null, name: 'Nike, Inc.' },
      warning: null,
    });
  });

  test('ignores an invalid domain if there is a valid name, with a warning', () => {
    expect(parseCompany({ domain: '10.0.0.1', name: 'Nike' })).toEqual({
      kind: 'company',
      company: { key: 'n:nike', domain: null, name: 'Nike' },
      warning: 'not a domain: an IP address; searched by the name',
    });
  });

  test('ignores an invalid name if there is a valid domain, with a warning', () => {
    expect(parseCompany({ domain: 'nike.com', name: 'x'.repeat(501) })).toEqual({
      kind: 'company',
      company: { key: 'd:nike.com', domain: 'nike.com', name: null },
      warning: 'not a company name: longer than 500 characters; searched by the domain alone',
    });
  });

  test.each(['-', '--', '–', '—', '?', 'n/a', 'N/A', '#N/A', 'none', 'NULL', ' Unknown ', ''])(
    'treats the placeholder %j as empty',
    (cell) => {
      expect(parseCompany({ domain: cell, name: 'Nike' })).toMatchObject({ kind: 'company', warning: null });
      expect(parseCompany({ domain: 'nike.com', name: cell })).toMatchObject({
        company: { name: null },
        warning: null,
      });
      expect(parseCompany({ domain: cell, name: cell })).toEqual({
        kind: 'rejected',
        reason: 'no company domain and no company name',
      });
    },
  );

  test.each(['Null Labs', 'Unknown Pleasures', 'None & Sons'])(
    'keeps a placeholder that is part of a name: %s',
    (name) => {
      expect(parseCompany({ name }).kind).toBe('company');
    },
  );

  test.each([
    [{}, 'no company domain and no company name'],
    [{ domain: 'localhost' }, 'not a domain: no dot in it'],
    [{ name: '!!!' }, 'not a company name: no letter or digit in it'],
    [{ name: 'Ni\0ke' }, 'not a company name: control or broken characters'],
    [{ name: 'Nike\ud800' }, 'not a company name: control or broken characters'],
    [{ name: 'ﷺ'.repeat(100) }, 'not a company name: too long when written out'],
    [
      { domain: '::1', name: '...' },
      'not a domain: an IP address; not a company name: no letter or digit in it',
    ],
  ])('rejects %j: %s', (input, reason) => {
    expect(parseCompany(input)).toEqual({ kind: 'rejected', reason });
  });

  test('ignores a shared host if there is a name, so that companies with pages on it stay distinct', () => {
    const acme = parseCompany({ domain: 'facebook.com', name: 'Acme' });
    expect(acme).toEqual({
      kind: 'company',
      company: { key: 'n:acme', domain: null, name: 'Acme' },
      warning: '"facebook.com" is a shared host; searched by the name',
    });
    expect(keyOf({ domain: 'facebook.com', name: 'Widgets' })).not.toBe(
      keyOf({ domain: 'facebook.com', name: 'Acme' }),
    );
  });

  test('keeps a shared host if there is no searchable name or if the name is that of the host', () => {
    for (const name of [undefined, '!!!', 'ﷺ'.repeat(100)])
      expect(parseCompany({ domain: 'facebook.com', name })).toMatchObject({
        company: { key: 'd:facebook.com' },
      });
    expect(parseCompany({ domain: 'etsy.com', name: 'Etsy' })).toMatchObject({
      company: { key: 'd:etsy.com' },
    });
  });

  test('accepts a name of 500 characters', () => {
    expect(parseCompany({ name: 'x'.repeat(500) })).toMatchObject({ kind: 'company', warning: null });
  });

  test('gives spellings of one company the same key', () => {
    expect(keyOf({ domain: 'https://www.nike.com/' })).toBe(keyOf({ domain: 'NIKE.com', name: 'Nike' }));
    expect(keyOf({ name: 'IKEA' })).toBe(keyOf({ name: ' ikea ' }));
  });

  test('returns a company with a key, or a rejection with a reason, for any cells', () => {
    const cell = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.domain(), fc.string()), {
      nil: undefined,
    });
    fc.assert(
      fc.property(cell, cell, (domain, name) => {
        const parsed = parseCompany({ domain, name });
        if (parsed.kind === 'rejected') expect(parsed.reason).not.toBe('');
        else expect(parsed.company.key).toMatch(parsed.company.domain === null ? /^n:.+/s : /^d:.+\../);
      }),
      { numRuns: 2_000 },
    );
  });
});

function keyOf(input: { domain?: string; name?: string }): string | null {
  const parsed = parseCompany(input);
  return parsed.kind === 'company' ? parsed.company.key : null;
}
