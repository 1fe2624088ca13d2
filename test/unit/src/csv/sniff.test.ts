import { expect, test } from 'vitest';
import { sniff, sniffBytes } from '../../../../src/csv/sniff.ts';
import { encodeText } from '../../../support/csv/company-files.ts';

const file = { fileName: 'list.csv' };

function delimiterOf(text: string): string {
  return sniff(Buffer.from(text), file).delimiter;
}

test.each([
  [',', 'domain,name\nacme.com,Acme\n'],
  [';', 'domain;name\nacme.com;Acme\n'],
  ['\t', 'domain\tname\nacme.com\tAcme\n'],
  ['|', 'domain|name\nacme.com|Acme\n'],
])('delimiter %j is detected', (delimiter, text) => {
  expect(delimiterOf(text)).toBe(delimiter);
});

test('delimiters within quotes are ignored', () => {
  expect(delimiterOf('name,domain\n"a;b;c",x.com\n"d;e;f",y.com\n')).toBe(',');
  expect(delimiterOf('"na,me";domain\n"a,b,c";x.com\n"d,e\n,f";y.com\n')).toBe(';');
});

test('delimiters in the text of a cell are ignored', () => {
  expect(delimiterOf('id;revenue, EUR;name\n1;1,5;Acme\n2;2;Beta, Inc\n3;3,5;C\n')).toBe(';');
});

test('a file with one column is not split at commas in names', () => {
  expect(delimiterOf('company\nAcme, Inc\nBeta; Sons\nGamma\n')).toBe('\t');
  expect(delimiterOf('domain\nacme.com\n')).toBe(',');
  expect(delimiterOf('company\n"Acme, Inc"\n')).toBe(',');
});

test('the delimiter is detected with CR line ends and leading blank lines', () => {
  expect(delimiterOf('\r\rdomain;name\racme.com;Acme\rbeta.com;Beta\r')).toBe(';');
});

test('a sep= line sets the delimiter, and its length includes the line end', () => {
  expect(sniff(Buffer.from('sep=;\r\na;b\n'), file)).toMatchObject({ delimiter: ';', sepLineBytes: 7 });
  expect(sniff(Buffer.from('SEP=|\na|b\n'), file)).toMatchObject({ delimiter: '|', sepLineBytes: 6 });
  expect(sniff(encodeText('sep=\t\na\tb\n', 'utf-16le', true), file)).toMatchObject({
    delimiter: '\t',
    sepLineBytes: 6,
  });
  expect(sniff(Buffer.from('sep=value,b\n'), file)).toMatchObject({ delimiter: ',', sepLineBytes: 0 });
});

test('options take precedence over detection', () => {
  const options = { ...file, delimiter: 'tab', encoding: 'latin1' };
  expect(sniff(Buffer.from('sep=;\na;b\n'), options)).toMatchObject({
    delimiter: '\t',
    encoding: 'windows-1252',
    sepLineBytes: 6,
  });
});

test.each(['', 'more than ten', '"', '\n'])('delimiter %j is rejected', (delimiter) => {
  expect(() => sniff(Buffer.from('a,b'), { ...file, delimiter })).toThrow('Invalid delimiter');
});

test('an unknown encoding is rejected', () => {
  expect(() => sniff(Buffer.from('a,b'), { ...file, encoding: 'klingon' })).toThrow(
    'Unknown encoding "klingon"',
  );
});

test.each(['utf-8', 'utf-16le', 'utf-16be'] as const)('%s is detected by its byte order mark', (encoding) => {
  const form = sniff(encodeText('domain;name\nacme.com;Ácme\n', encoding, true), file);
  expect(form).toMatchObject({ encoding, bomBytes: encoding === 'utf-8' ? 3 : 2, delimiter: ';' });
});

test.each(['utf-16le', 'utf-16be'] as const)('%s is detected without a byte order mark', (encoding) => {
  const form = sniff(encodeText('domain;name\nacme.com;Ácme\n', encoding), file);
  expect(form).toMatchObject({ encoding, bomBytes: 0, delimiter: ';' });
});

test('the encoding utf-16 uses the byte order of the mark', () => {
  const be = encodeText('domain\n', 'utf-16be', true);
  expect(sniff(be, { ...file, encoding: 'utf-16' })).toMatchObject({ encoding: 'utf-16be', bomBytes: 2 });
  const le = encodeText('domain\n', 'utf-16le');
  expect(sniff(le, { ...file, encoding: 'utf-16' })).toMatchObject({ encoding: 'utf-16le', bomBytes: 0 });
});

test('Windows-1252 is detected in Latin text that is not UTF-8', () => {
  const text = 'name,domain\nCafé Zoë,cafe.fr\nMüller – Söhne,mueller.de\nJoe’s,joes.com\n';
  expect(sniff(encodeText(text, 'windows-1252'), file).encoding).toBe('windows-1252');
});

test('UTF-8 with an invalid byte is not detected as Windows-1252', () => {
  const broken = Buffer.concat([
    Buffer.from('company name\nCafé Central\nAcme\nZoë and Sons\n'),
    Buffer.from([0xe9, 0x0a]),
  ]);
  expect(sniff(broken, file).encoding).toBe('utf-8');
});

test('Cyrillic, DOS and old Macintosh text is not detected as Windows-1252', () => {
  const cyrillic = Buffer.from([...Buffer.from('name\n'), 0xc3, 0xe0, 0xe7, 0xef, 0xf0, 0xee, 0xec, 0x0a]);
  const dos = Buffer.from([...Buffer.from('name,domain\nM'), 0x81, ...Buffer.from('ller,mueller.de\n')]);
  expect(() => sniff(cyrillic, file)).toThrow(/line 2: .*probably --encoding windows-1251/);
  const mac = Buffer.from([...Buffer.from('name,domain\nCaf'), 0x8e, ...Buffer.from(' Central,cafe.fr\n')]);
  expect(() => sniff(dos, file)).toThrow(/line 2: .*0x81 .*probably --encoding cp850 \(MS-DOS/);
  expect(() => sniff(mac, file)).toThrow(/line 2: .*probably --encoding macintosh/);
});

test('an incomplete character at the end of the sample does not change the encoding', () => {
  const head = Buffer.from(`name\n${'é'.repeat(sniffBytes)}`).subarray(0, sniffBytes);
  expect(sniff(head, file).encoding).toBe('utf-8');
});

test.each([
  ['little endian', [0xff, 0xfe, 0, 0]],
  ['big endian', [0, 0, 0xfe, 0xff]],
])('UTF-32, %s, is rejected with its name', (_, bytes) => {
  expect(() => sniff(Buffer.from(bytes), file)).toThrow(/list\.csv.*UTF-32.*Save the file as CSV/);
});
