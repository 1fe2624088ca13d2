import { describe, expect, test } from 'vitest';
import { domainsAbove, parseOptOut } from '../../../../../../src/core/emails/probing/opt-outs.ts';
import { ValidationError } from '../../../../../../src/core/errors.ts';

describe('who wants to be left alone', () => {
  test.each([
    ['acme.com', 'acme.com'],
    ['@ACME.com', 'acme.com'],
    [' mail.acme.com ', 'mail.acme.com'],
    ['münchen.de', 'xn--mnchen-3ya.de'],
  ])('%j is a domain', (text, domain) => {
    expect(parseOptOut(text)).toEqual({ kind: 'domain', domain });
  });

  test('an address is a person, known by a digest that other spellings share', () => {
    const person = parseOptOut('Jane.Doe+news@gmail.com');
    expect(person).toEqual({ kind: 'person', digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(parseOptOut('janedoe@googlemail.com')).toEqual(person);
    expect(parseOptOut('john@gmail.com')).not.toEqual(person);
  });

  test.each(['', 'acme', 'a b@acme.com', '@', 'jane@', '192.0.2.1'])('%j is neither', (text) => {
    expect(() => parseOptOut(text)).toThrow(ValidationError);
  });
});

test('a domain is covered by itself and by those above it', () => {
  expect(domainsAbove('a.b.co.uk')).toEqual(['a.b.co.uk', 'b.co.uk', 'co.uk']);
});
