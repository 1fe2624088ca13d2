import fc from 'fast-check';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sniff } from '../../../../src/csv/sniff.ts';
import { encodeText } from '../../../support/csv/company-files.ts';
import { takeSeedNumber } from '../../../support/seed-number.ts';

const file = { fileName: 'list.csv' };

test('compressed data is rejected after any start of a file', () => {
  const noise = fc.uint8Array({ minLength: 2000, maxLength: 4000 }).map((bytes) => deflateRawSync(bytes));
  const heads = fc.tuple(fc.constantFrom('', 'domain,name\n', 'BZh9', 'RIFF'), noise);
  fc.assert(
    fc.property(heads, ([start, rest]) => {
      const head = Buffer.concat([Buffer.from(start), rest]);
      expect(() => sniff(head, { ...file, encoding: 'windows-1252' })).toThrow('not a text file');
    }),
    { seed: takeSeedNumber(), numRuns: 50 },
  );
});

test.each([
  ['a CSV file with NUL in a few cells', Buffer.from('domain,name\na\0.com,A\nb\0.com,B\nc.com,C\n')],
  ['Latin text in UTF-16 without a byte order mark', encodeText('domain,name\nacme.com,Acme\n', 'utf-16le')],
  ['a CSV file with form feeds and the end-of-file mark of DOS', Buffer.from('domain\n\fa.com\nb.com\n\x1a')],
])('%s is accepted', (_what, bytes) => {
  expect(() => sniff(bytes, file)).not.toThrow();
});

test('UTF-16 of any script is accepted if its encoding is given', () => {
  const text = encodeText('domain;name\nacme.cn;\u0416\u0100\u4e00\u0500\n'.repeat(50), 'utf-16be');
  expect(() => sniff(text, { ...file, encoding: 'utf-16be' })).not.toThrow();
});
