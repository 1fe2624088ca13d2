import { onTestFinished, expect, test } from 'vitest';
import { readConfig } from '../../../src/config/config.ts';
import { examineProbing } from '../../../src/doctor/checks/collect-probing.ts';
import { startDnsServer, type DnsZone } from '../../support/dns-smtp/dns-server.ts';
import type { Environment } from '../../support/cli/nightshift-process.ts';
import { openProbingFixture } from '../../support/dns-smtp/probing-fixture.ts';

/** Results of the doctor on probing, by name; zone and settings are valid except for the changes. */
async function examine(changed: { readonly zone?: DnsZone; readonly settings?: Environment } = {}) {
  const fixture = await openProbingFixture([]);
  onTestFinished(fixture.close);
  const dns = await startDnsServer({ ...fixture.zone, ...changed.zone });
  onTestFinished(dns.close);
  const config = readConfig({
    NIGHTSHIFT_DNS_SERVERS: dns.server,
    NIGHTSHIFT_DNS_TIMEOUT_SECONDS: '1',
    ...fixture.settings,
    ...changed.settings,
  });
  const findings = await examineProbing(config);
  return findings.map(({ name, status }) => `${name}: ${status}`);
}

const right = [
  'probing: name in EHLO: ok',
  'probing: PTR: ok',
  'probing: sender: ok',
  'probing: SPF: ok',
  'probing: port 25: ok',
];

test('doctor reports ok for a valid probing setup', async () => {
  expect(await examine()).toEqual(right);
});

test('doctor has no check of probing when it is off', async () => {
  expect(await examineProbing(readConfig({}))).toEqual([]);
});

test('doctor reports a host name that is not public or resolves elsewhere', async () => {
  expect(await examine({ zone: { '1.0.0.127.in-addr.arpa': { PTR: ['host-1.isp.net'] } } })).toContain(
    'probing: PTR: problem',
  );
  expect(await examine({ settings: { NIGHTSHIFT_ALLOWED_HOSTS: 'mx.night-desk.net' } })).toContain(
    'probing: name in EHLO: problem',
  );
});

test('doctor reports a port without a response', async () => {
  const settings = { NIGHTSHIFT_ALLOWED_HOSTS: 'probe.night-desk.net,mx.night-desk.net:9' };
  expect(await examine({ settings })).toContain('probing: port 25: problem');
});

test('doctor reports names that the operator does not own, without a connection', async () => {
  expect(await examine({ settings: { NIGHTSHIFT_PROBE_MAIL_FROM: 'someone@gmail.com' } })).toEqual([
    'probing: problem',
  ]);
});
