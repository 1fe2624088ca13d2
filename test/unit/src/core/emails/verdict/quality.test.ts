import { describe, expect, test } from 'vitest';
import { parseAddress, type EmailAddress } from '../../../../../../src/core/emails/syntax/address.ts';
import type { MailLists } from '../../../../../../src/core/emails/lists/mail-lists.ts';
import { qualityOf, type QualityInfo } from '../../../../../../src/core/emails/verdict/quality.ts';
import { shippedLists } from '../../../../../support/dns-smtp/shipped-lists.ts';

const nothing = {
  isDisposable: false,
  isPrivacyRelay: false,
  isRole: false,
  isFree: false,
  didYouMean: null,
  subaddress: null,
  reasons: [],
};

describe('quality of an address', () => {
  test.each([
    ['jane.doe@acme-widgets.com', {}],
    ['jane@mailinator.com', { isDisposable: true, reasons: ['disposable_domain'] }],
    ['jane@inbox.mailinator.com', { isDisposable: true, reasons: ['disposable_domain'] }],
    ['x7@privaterelay.appleid.com', { isPrivacyRelay: true, reasons: ['privacy_relay'] }],
    ['x7@jane.mozmail.com', { isPrivacyRelay: true, reasons: ['privacy_relay'] }],
    ['jane@gmail.com', { isFree: true, reasons: ['free_provider'] }],
    ['jane@mail.gmail.com', {}],
    ['Info@acme-widgets.com', { isRole: true, reasons: ['role_account'] }],
    ['NoReply@acme-widgets.com', { isRole: true, reasons: ['role_account'] }],
    ['hello@acme-widgets.com', { isRole: true, reasons: ['role_account'] }],
    ['jane+news@acme-widgets.com', { subaddress: 'news', reasons: ['subaddress'] }],
    ['Jane@gmial.de', { didYouMean: null }],
    ['Jane@gmal.com', { didYouMean: 'Jane@gmail.com', reasons: ['possible_typo'] }],
  ])('has the expected findings for %s', (address, expected) => {
    expect(qualityOf(read(address), shippedLists, data())).toEqual({ ...nothing, ...expected });
  });

  test('finds a role in a tagged local part', () => {
    const quality = qualityOf(read('Sales+spring@acme-widgets.com'), shippedLists, data());
    expect(quality).toMatchObject({ isRole: true, reasons: ['role_account', 'subaddress'] });
  });

  test('uses broad roles only on request', () => {
    expect(qualityOf(read('team@acme.com'), shippedLists, data({ roles: 'strict' }))).toEqual(nothing);
    expect(qualityOf(read('team@acme.com'), shippedLists, data({ roles: 'broad' })).isRole).toBe(true);
    expect(qualityOf(read('abuse@acme.com'), shippedLists, data({ roles: 'strict' })).isRole).toBe(true);
  });

  test('uses DNS for the suggestion', () => {
    const ofDns = (domainTakesMail: boolean | null) =>
      qualityOf(read('jane@gmail.co'), shippedLists, data({ domainTakesMail })).didYouMean;
    expect([ofDns(false), ofDns(null), ofDns(true)]).toEqual(['jane@gmail.com', null, null]);
  });
});

test('each finding has its own reason, in order of weight', () => {
  const everything: MailLists = {
    marksOf: () => ({ isDisposable: true, isPrivacyRelay: true, isFree: true }),
    roleTier: () => 'strict',
    mxProvider: () => null,
    isSilentHost: () => false,
    didYouMean: () => 'example.com',
  };
  expect(qualityOf(read('jane+x@acme.com'), everything, data()).reasons).toEqual([
    'disposable_domain',
    'possible_typo',
    'role_account',
    'privacy_relay',
    'free_provider',
    'subaddress',
  ]);
});

function data(given: Partial<QualityInfo> = {}): QualityInfo {
  return { domainTakesMail: null, roles: 'broad', ...given };
}

function read(text: string): EmailAddress {
  const parsed = parseAddress(text);
  if (parsed.kind === 'invalid') throw new Error(`${text}: ${parsed.reason}`);
  return parsed.address;
}
