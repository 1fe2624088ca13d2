import { describe, expect, test } from 'vitest';
import { identityMistakes } from '../../../../../../src/core/emails/probing/probe-identity.ts';
import { shippedLists } from '../../../../../support/dns-smtp/shipped-lists.ts';

const ours = {
  helloName: 'probe.acme-verify.net',
  mailFrom: 'probe@acme-verify.net',
  contact: 'abuse@mail.acme-verify.net',
};

describe('a probing identity', () => {
  test('is valid with names of one domain of the operator', () => {
    expect(identityMistakes(ours, shippedLists)).toEqual([]);
  });

  test.each([
    [{ helloName: 'localhost' }, /HELLO_NAME is "localhost"/],
    [{ helloName: 'worker.local' }, /reserved for tests or private networks/],
    [{ helloName: '192.0.2.1' }, /HELLO_NAME is "192\.0\.2\.1"/],
    [{ helloName: 'probe.example.org' }, /reserved for documentation/],
    [{ helloName: 'gmail.com', mailFrom: 'a@gmail.com', contact: 'b@gmail.com' }, /mail provider/],
    [{ mailFrom: 'probe@mailinator.com' }, /MAIL_FROM .* mail provider/],
    [{ mailFrom: 'not an address' }, /MAIL_FROM is "not an address"/],
    [{ mailFrom: 'größe@acme-verify.net' }, /beyond ASCII/],
    [{ contact: 'abuse@elsewhere.net' }, /acme-verify\.net, elsewhere\.net/],
  ])('is rejected with %j', (changed, why) => {
    const mistakes = identityMistakes({ ...ours, ...changed }, shippedLists);
    expect(mistakes.join('\n')).toMatch(why);
  });
});
