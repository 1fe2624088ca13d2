import { describe, expect, test } from 'vitest';
import { parseCompany } from '../../../../../src/core/companies/company.ts';
import { parseDomain } from '../../../../../src/core/companies/domain.ts';
import { searchWays } from '../../../../../src/core/sources/search-ways.ts';
import { isSharedHost, sharedHosts } from '../../../../../src/core/companies/shared-hosts.ts';
import { questionAbout } from '../../../../support/sources/plain-exchange.ts';

function domainOf(text: string): string | null {
  const parsed = parseDomain(text);
  return parsed.kind === 'domain' ? parsed.domain : null;
}

describe('a page on a shared host', () => {
  test.each([
    ['facebook.com/acme', 'facebook.com'],
    ['https://www.facebook.com/acme/?ref=page', 'facebook.com'],
    ['HTTPS://M.Facebook.com//acme', 'facebook.com'],
    ['https://de-de.facebook.com/profile.php?id=1', 'facebook.com'],
    ['facebook.com:443/acme', 'facebook.com'],
    ['//facebook.com/acme', 'facebook.com'],
    ['facebook.com\\acme', 'facebook.com'],
    ['fａcebook.com/acme', 'facebook.com'],
    ['https://uk.linkedin.com/company/acme', 'linkedin.com'],
    ['https://medium.com/@acme', 'medium.com'],
    ['https://sites.google.com/view/acme', 'sites.google.com'],
    ['https://play.google.com/store/apps/details?id=com.acme', 'play.google.com'],
    ['acme.tumblr.com', 'tumblr.com'],
    ['https://acme.wordpress.com/', 'wordpress.com'],
    ['www.acme.business.site', 'business.site'],
    ['https://www.etsy.com/shop/acme', 'etsy.com'],
  ])('is not the domain of a company: %s', (domain, host) => {
    const reason = `a page on "${host}", which many share`;
    expect(parseCompany({ domain })).toEqual({ kind: 'rejected', reason });
    expect(parseCompany({ domain, name: 'Acme' })).toEqual({
      kind: 'company',
      company: { key: 'n:acme', domain: null, name: 'Acme' },
      warning: `${reason}; searched by the name`,
    });
  });

  test.each([
    // The owner of the host.
    ['facebook.com', 'facebook.com'],
    ['https://www.facebook.com/', 'facebook.com'],
    ['https://www.facebook.com/?locale=de', 'facebook.com'],
    ['https://business.facebook.com', 'facebook.com'],
    ['jo@facebook.com', 'facebook.com'],
    ['https://www.wordpress.com', 'wordpress.com'],
    // Hosts similar to shared ones.
    ['https://www.google.com/intl/de/about', 'google.com'],
    ['notfacebook.com/acme', 'notfacebook.com'],
    ['facebook.com.br/acme', 'facebook.com.br'],
    // The public suffix list makes it a domain of the user.
    ['https://acme.wixsite.com/shop', 'acme.wixsite.com'],
    ['acme.blogspot.com/2024/01', 'acme.blogspot.com'],
  ])('does not include %s, which is the domain %s', (text, domain) => {
    expect(parseCompany({ domain: text })).toMatchObject({ company: { domain }, warning: null });
  });

  test('keeps its domain for e-mail purposes', () => {
    expect(parseDomain('https://www.facebook.com/acme')).toEqual({ kind: 'domain', domain: 'facebook.com' });
  });
});

describe('a shared host without a page', () => {
  test.each(['facebook.com', 'x.com', 't.co', 'linktr.ee'])('is the domain of its owner: %s', (domain) => {
    const parsed = parseCompany({ domain });
    if (parsed.kind !== 'company') throw new Error(parsed.reason);
    expect(searchWays(questionAbout(parsed.company))).toEqual([{ by: 'domain', domain }]);
  });

  test.each([
    ['facebook.com', 'Facebook, Inc.'],
    ['x.com', 'X Corp.'],
  ])('%s is kept with the name of its owner, %s', (domain, name) => {
    expect(parseCompany({ domain, name })).toMatchObject({ company: { domain, name }, warning: null });
  });
});

describe('isSharedHost', () => {
  test.each([
    'facebook.com',
    'instagram.com',
    'linkedin.com',
    'linktr.ee',
    'sites.google.com',
    'wixsite.com',
  ])('is true for %s', (host) => expect(isSharedHost(host)).toBe(true));

  test.each(['nike.com', 'google.com', 'acme.wixsite.com', 'com', '', 'etsy.com', 'wordpress.com'])(
    'is false for %j',
    (host) => expect(isSharedHost(host)).toBe(false),
  );
});

describe('the list of shared hosts', () => {
  test('contains valid host names', () => {
    const text = sharedHosts.join(' ');
    expect(text).toMatch(/^[a-z0-9-]+(\.[a-z0-9-]+)+( [a-z0-9-]+(\.[a-z0-9-]+)+)*$/);
    expect(sharedHosts.length).toBeGreaterThan(100);
    expect(sharedHosts.filter((host) => domainOf(host) === null)).toEqual([]);
  });

  test('rejects a page on each of its hosts as a company domain', () => {
    const passing = sharedHosts.filter((host) => {
      const parsed = parseCompany({ domain: `https://${host}/acme` });
      return parsed.kind === 'company';
    });
    expect(passing).toEqual([]);
  });
});
