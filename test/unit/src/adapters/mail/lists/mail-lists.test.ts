import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listNames, readList, refreshedFile } from '../../../../../../src/adapters/mail/lists/list-file.ts';
import { createMailLists } from '../../../../../../src/adapters/mail/lists/mail-lists.ts';
import { Misconfigured } from '../../../../../../src/core/errors.ts';
import { shippedLists } from '../../../../../support/dns-smtp/shipped-lists.ts';

describe('the shipped lists', () => {
  test.each([
    ['mailinator.com', true],
    ['a.b.mailinator.com', true],
    ['acmemailinator.com', false],
    ['com', false],
    ['duck.com', false],
  ])('mark %s as disposable: %s', (domain, isDisposable) => {
    expect(shippedLists.marksOf(domain).isDisposable).toBe(isDisposable);
  });

  test.each([
    ['abuse', 'strict'],
    ['No-Reply', 'strict'],
    ['KONTAKT', 'broad'],
    ['jane', null],
    ['a'.repeat(64), null],
    ['constructor', null],
  ])('give the local part %s the role tier %s', (name, tier) => {
    expect(shippedLists.roleTier(name)).toBe(tier);
  });

  test.each([
    ['aspmx.l.google.com', { id: 'google', kind: 'mailboxes' }],
    ['gmr-smtp-in.l.google.com', { id: 'google-domains', kind: 'forwarder' }],
    ['acme-com.mail.protection.outlook.com', { id: 'microsoft', kind: 'mailboxes' }],
    ['acme-com.o-v1.mx.microsoft', { id: 'microsoft', kind: 'mailboxes' }],
    ['outlook-com.olc.protection.outlook.com', { id: 'outlook', kind: 'mailboxes' }],
    ['mx-eu.mail.am0.yahoodns.net', { id: 'yahoo', kind: 'mailboxes' }],
    ['mx1.mail.icloud.com', { id: 'icloud', kind: 'mailboxes' }],
    ['inbound-smtp.eu-west-1.amazonaws.com', { id: 'amazon', kind: 'mailboxes' }],
    ['ec2-192-0-2-1.eu-west-1.compute.amazonaws.com', null],
    ['mxa-00123456.gslb.pphosted.com', { id: 'proofpoint', kind: 'gateway' }],
    ['eu-smtp-inbound-1.mimecast.com', { id: 'mimecast', kind: 'gateway' }],
    ['d1.ess.barracudanetworks.com', { id: 'barracuda', kind: 'gateway' }],
    ['mx1.hc123-45.eu.iphmx.com', { id: 'cisco', kind: 'gateway' }],
    ['cluster5.eu.messagelabs.com', { id: 'symantec', kind: 'gateway' }],
    ['route1.mx.cloudflare.net', { id: 'cloudflare', kind: 'forwarder' }],
    ['mail.acme.com', null],
    ['notgoogle.com', null],
    ['localhost', null],
  ])('map the MX host %s to the provider %j', (host, provider) => {
    expect(shippedLists.mxProvider(host)).toEqual(provider);
  });
});

describe('lists of the operator', () => {
  let folder: string;
  const folders = () => ({ shipped: join(folder, 'shipped'), own: join(folder, 'own') });

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nightshift-lists-'));
    for (const name of listNames) write(`shipped/${name}.txt`, '# Origin: test\n# Date: 2026-01-02\n');
    write('shipped/disposable.txt', '# Date: 2026-01-02\nthrow.example\nwrong.example\n');
    write('shipped/role.txt', 'info strict\npress broad\n');
    write('shipped/mx-providers.txt', 'mx.example one mailboxes\n');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function write(path: string, text: string): void {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }

  test('are optional', () => {
    expect(createMailLists(folders()).marksOf('throw.example').isDisposable).toBe(true);
    expect(createMailLists({ ...folders(), own: null }).roleTier('info')).toBe('strict');
  });

  test('add entries with or without a plus, and remove entries with a minus', () => {
    write('own/disposable.txt', '# ours\n+one.example\ntwo.example\n-wrong.example\n-never.example\n\n');
    write('own/free.txt', 'mail.example\r\n');
    write('own/role.txt', '+kitchen strict\n-press\n');
    write('own/mx-providers.txt', 'eu.mx.example two gateway\n');
    const lists = createMailLists(folders());
    const isDisposable = (domain: string) => lists.marksOf(domain).isDisposable;
    expect(['one.example', 'two.example', 'throw.example'].every(isDisposable)).toBe(true);
    expect(isDisposable('wrong.example')).toBe(false);
    expect(lists.marksOf('mail.example').isFree).toBe(true);
    expect([lists.roleTier('kitchen'), lists.roleTier('press')]).toEqual(['strict', null]);
    expect(lists.mxProvider('a.eu.mx.example')).toEqual({ id: 'two', kind: 'gateway' });
    expect(lists.mxProvider('a.mx.example')).toEqual({ id: 'one', kind: 'mailboxes' });
    expect(readList('disposable', folders())).toMatchObject({ added: 2, removed: 1 });
  });

  test('are read once, on first use', () => {
    const lists = createMailLists(folders());
    write('own/disposable.txt', 'one.example\n');
    expect(lists.marksOf('one.example').isDisposable).toBe(true);
    write('own/disposable.txt', '-one.example\n');
    expect(lists.marksOf('one.example').isDisposable).toBe(true);
  });

  test.each([
    ['2026-01-02', true],
    ['2026-03-04', true],
    ['2025-12-31', false],
  ])('a refreshed list of %s replaces the shipped list of 2026-01-02: %s', (date, isReplaced) => {
    mkdirSync(dirname(refreshedFile(folders().own)), { recursive: true });
    writeFileSync(refreshedFile(folders().own), `# Date: ${date}\nfresh.example\n`);
    write('own/disposable.txt', '+ours.example\n');
    const lists = createMailLists(folders());
    const marked = ['fresh.example', 'throw.example', 'ours.example'].map(
      (domain) => lists.marksOf(domain).isDisposable,
    );
    expect(marked).toEqual([isReplaced, !isReplaced, true]);
  });

  test.each([
    ['disposable', 'one.example two.example'],
    ['disposable', 'nodot'],
    ['disposable', 'UPPER.example'],
    ['free', 'münchen.example'],
    ['free', `${'a'.repeat(64)}.example`],
    ['role', 'info'],
    ['role', 'info sometimes'],
    ['role', 'in@fo strict'],
    ['mx-providers', 'mx.example one'],
    ['mx-providers', 'mx.example one castle'],
  ] as const)('an invalid line of %s is an error with its file and line: %s', (name, line) => {
    write(`own/${name}.txt`, `# ours\n\n${line}\n`);
    const ask = () => createMailLists(folders()).marksOf('x.example');
    expect(ask).toThrow(Misconfigured);
    expect(ask).toThrow(`${join(folder, 'own', `${name}.txt`)}, line 3: a line must hold `);
  });

  test('a missing shipped list is an error with the name of the file', () => {
    rmSync(join(folder, 'shipped', 'free.txt'));
    expect(() => createMailLists(folders()).marksOf('x.example')).toThrow(/free\.txt cannot be read/);
  });
});
