import { expect, test } from 'vitest';
import type { MailDomain } from '../../../../../../src/core/emails/domains/mail-domain.ts';
import {
  evaluateReadiness,
  portCheck,
  type ProbeInfo,
} from '../../../../../../src/core/emails/probing/probe-readiness.ts';

const identity = {
  helloName: 'Probe.acme-verify.net',
  mailFrom: 'a@acme-verify.net',
  contact: 'b@acme-verify.net',
};
const now = new Date('2026-11-22T00:00:00.000Z');
const sender: MailDomain = {
  domain: 'acme-verify.net',
  route: {
    kind: 'hosts',
    hosts: [{ name: 'mx.acme-verify.net', preference: 10, addresses: ['93.184.216.34'] }],
    implicit: false,
  },
  hasSpf: true,
  hasDmarc: true,
  checkedAt: now,
  expiresAt: now,
};
const good: ProbeInfo = {
  hello: { kind: 'reachable', addresses: ['93.184.216.34'] },
  reverseNames: ['probe.acme-verify.net'],
  sender,
  port25: { host: 'mx.acme-verify.net', isOpen: true },
};

function failedChecks(data: Partial<ProbeInfo>): readonly string[] {
  const checks = evaluateReadiness(identity, { ...good, ...data });
  for (const check of checks) expect(check.remedy === null, check.name).toBe(check.status === 'ok');
  return checks.filter(({ status }) => status !== 'ok').map(({ name, status }) => `${name}: ${status}`);
}

test('readiness checks find no problem in a correct setup', () => {
  expect(failedChecks({})).toEqual([]);
});

test.each<[string, Partial<ProbeInfo>, readonly string[]]>([
  ['a host name without an address', { hello: { kind: 'no_address' } }, ['probing: name in EHLO: problem']],
  [
    'a host name with a private address',
    { hello: { kind: 'not_public' } },
    ['probing: name in EHLO: problem'],
  ],
  [
    'a host name that DNS could not resolve',
    { hello: { kind: 'unknown', reason: 'dns_timeout' } },
    ['probing: name in EHLO: problem'],
  ],
  ['a PTR record for another name', { reverseNames: ['host-34.isp.net'] }, ['probing: PTR: problem']],
  ['a missing PTR record', { reverseNames: [] }, ['probing: PTR: problem']],
  [
    'a sender domain that accepts no mail',
    { sender: { ...sender, route: { kind: 'none', reason: 'null_mx', mx: null } }, port25: null },
    ['probing: sender: problem'],
  ],
  ['a sender domain without SPF', { sender: { ...sender, hasSpf: false } }, ['probing: SPF: warning']],
  ['a closed port 25', { port25: { host: 'mx.acme-verify.net', isOpen: false } }, [`${portCheck}: problem`]],
])('readiness checks report %s', (_, data, found) => {
  expect(failedChecks(data)).toEqual(found);
});
