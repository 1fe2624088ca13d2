import { expect, test } from 'vitest';
import type { MailDomain } from '../../../../../../src/core/emails/domains/mail-domain.ts';
import {
  evaluateReadiness,
  portCheck,
  type ProbeInfo,
} from '../../../../../../src/core/emails/probing/probe-readiness.ts';

const identity = {
  helloName: 'Probe.night-desk.net',
  mailFrom: 'a@night-desk.net',
  contact: 'b@night-desk.net',
};
const now = new Date('2026-11-22T00:00:00.000Z');
const sender: MailDomain = {
  domain: 'night-desk.net',
  route: {
    kind: 'hosts',
    hosts: [{ name: 'mx.night-desk.net', preference: 10, addresses: ['93.184.216.34'] }],
    implicit: false,
  },
  hasSpf: true,
  hasDmarc: true,
  checkedAt: now,
  expiresAt: now,
};
const good: ProbeInfo = {
  hello: { kind: 'reachable', addresses: ['93.184.216.34'] },
  reverseNames: ['probe.night-desk.net'],
  sender,
  port25: { host: 'mx.night-desk.net', isOpen: true },
};

function wrongIn(data: Partial<ProbeInfo>): readonly string[] {
  const checks = evaluateReadiness(identity, { ...good, ...data });
  for (const check of checks) expect(check.remedy === null, check.name).toBe(check.status === 'ok');
  return checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${name}: ${status}`);
}

test('a correct setup has no problem', () => {
  expect(wrongIn({})).toEqual([]);
});

test.each<[string, Partial<ProbeInfo>, readonly string[]]>([
  ['a name without an address', { hello: { kind: 'no_address' } }, ['probing: name in EHLO: problem']],
  ['a name that is private', { hello: { kind: 'not_public' } }, ['probing: name in EHLO: problem']],
  [
    'a name that DNS did not tell',
    { hello: { kind: 'unknown', reason: 'dns_timeout' } },
    ['probing: name in EHLO: problem'],
  ],
  ['an address that points elsewhere', { reverseNames: ['host-34.isp.net'] }, ['probing: PTR: problem']],
  ['an address that points nowhere', { reverseNames: [] }, ['probing: PTR: problem']],
  [
    'a sender that takes no mail',
    { sender: { ...sender, route: { kind: 'none', reason: 'null_mx', mx: null } }, port25: null },
    ['probing: sender: problem'],
  ],
  ['a sender without SPF', { sender: { ...sender, hasSpf: false } }, ['probing: SPF: warning']],
  ['a closed port', { port25: { host: 'mx.night-desk.net', isOpen: false } }, [`${portCheck}: problem`]],
])('%s is reported', (_, data, found) => {
  expect(wrongIn(data)).toEqual(found);
});
