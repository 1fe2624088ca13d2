import { describe, expect, test } from 'vitest';
import { domainsAbove, parseOptOut } from '../../../../../../src/core/emails/probing/opt-outs.ts';
import { ValidationError } from '../../../../../../src/core/errors.ts';

describe('parseOptOut', () => {
  test.each([
    ['acme.com', 'acme.com'],
    ['@ACME.com', 'acme.com'],
    [' mail.acme.com ', 'mail.acme.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
  ])('parses %j as a domain', (text, domain) => {
    expect(parseOptOut(text)).toEqual({ kind: 'domain', domain });
  });

  test('parses an address as a person, with one digest for all spellings', () => {
    const person = parseOptOut('Jane.Doe+news@gmail.com');
    expect(person).toEqual({ kind: 'person', digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(parseOptOut('janedoe@googlemail.com')).toEqual(person);
    expect(parseOptOut('john@gmail.com')).not.toEqual(person);
  });

  test.each(['', 'acme', 'a b@acme.com', '@', 'jane@', '192.0.2.1'])('rejects %j', (text) => {
    expect(() => parseOptOut(text)).toThrow(ValidationError);
  });
});

test('domainsAbove returns a domain and its parent domains', () => {
  expect(domainsAbove('a.b.co.uk')).toEqual(['a.b.co.uk', 'b.co.uk', 'co.uk']);
});
