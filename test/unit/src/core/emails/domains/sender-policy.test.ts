import { describe, expect, test } from 'vitest';
import {
  hasDmarc,
  hasSpf,
  rejectsAllSenders,
} from '../../../../../../src/core/emails/domains/sender-policy.ts';

describe('the TXT records of a domain', () => {
  test.each<readonly [readonly string[], boolean, boolean]>([
    [['v=spf1 -all'], true, true],
    [['V=SPF1 -ALL'], true, true],
    [['v=spf1   -all  '], true, true],
    [['MS=ms47108184', 'v=spf1 -all'], true, true],
    [['v=spf1 ~all'], true, false],
    [['v=spf1 mx -all'], true, false],
    [['v=spf1 -all exp=why.acme.com'], true, false],
    [['v=spf1 include:_spf.acme.com -all'], true, false],
    [['v=spf1'], true, false],
    [['v=spf1 -all', 'v=spf1 mx -all'], true, false],
    [['v=spf1 -all', 'v=spf1 -all'], true, false],
    [['v=spf10 -all'], false, false],
    [['v=spf1-all'], false, false],
    [[' v=spf1 -all'], false, false],
    [['spf2.0/pra -all'], false, false],
    [['"v=spf1 -all"'], false, false],
    [[''], false, false],
    [[], false, false],
  ])('%j have an SPF record: %s, one that rejects all senders: %s', (texts, has, rejects) => {
    expect([hasSpf(texts), rejectsAllSenders(texts)]).toEqual([has, rejects]);
  });

  test.each<readonly [readonly string[], boolean]>([
    [['v=DMARC1; p=none'], true],
    [['v=DMARC1;p=reject'], true],
    [['v=DMARC1'], true],
    [['V = DMARC1 ; p=none'], true],
    [['other', 'v=DMARC1; p=none'], true],
    [['v=dmarc1; p=none'], false],
    [['v=DMARC10; p=none'], false],
    [['p=none; v=DMARC1'], false],
    [['v=spf1 -all'], false],
    [[], false],
  ])('%j have a DMARC policy: %s', (texts, has) => {
    expect(hasDmarc(texts)).toBe(has);
  });
});
