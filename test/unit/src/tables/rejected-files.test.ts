import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { buildZip } from '../../../support/tables/build-zip.ts';
import { rejectionOf } from '../../../support/tables/read-list.ts';

const hex = (bytes: string) => Buffer.from(bytes.padEnd(64, '0'), 'hex');
const asCsv = 'Save the list as CSV (UTF-8) or as an Excel workbook (.xlsx) and try again.';

/** Compound file with a stream of this name in its directory. */
function compoundFile(stream: string): Buffer {
  return Buffer.concat([hex('d0cf11e0a1b11ae1'), Buffer.alloc(1024), Buffer.from(stream, 'utf16le')]);
}

test.each([
  ['a PDF document', hex('255044462d312e37'), `This is a PDF document, which holds no table. ${asCsv}`],
  ['a PNG image', hex('89504e470d0a1a0a'), `This is a PNG image. ${asCsv}`],
  ['a JPEG image', hex('ffd8ffe0'), `This is a JPEG image. ${asCsv}`],
  ['a GIF image', Buffer.from('GIF89a'), `This is a GIF image. ${asCsv}`],
  ['a Zstandard archive', hex('28b52ffd'), `This is a Zstandard archive. ${asCsv}`],
  ['a 7z archive', hex('377abcaf271c'), `This is a 7z archive. ${asCsv}`],
  ['an SQLite database', Buffer.from('SQLite format 3\0'), `This is an SQLite database. ${asCsv}`],
  ['an Avro file', Buffer.from('Obj\x01'), `This is an Avro file. ${asCsv}`],
  ['rich text', Buffer.from('{\\rtf1\\ansi'), `This is a rich text document (.rtf). ${asCsv}`],
  ['gzip twice', gzipSync(gzipSync('a,b')), `This is a gzip archive within another archive. ${asCsv}`],
  [
    'a workbook of Excel 97',
    compoundFile('Workbook'),
    'This is a workbook of an old version of Excel (.xls). Open it in Excel or LibreOffice, and save it as a workbook (.xlsx) or as CSV (UTF-8).',
  ],
  [
    'a workbook of Excel 4',
    hex('0904060000001000'),
    'This is a workbook of an old version of Excel (.xls). Open it in Excel or LibreOffice, and save it as a workbook (.xlsx) or as CSV (UTF-8).',
  ],
  [
    'a workbook with a password',
    compoundFile('EncryptedPackage'),
    'The workbook is protected by a password. Open it in Excel, remove the password (File, Info, Protect Workbook), and save it again.',
  ],
  ['an old Word document', compoundFile('WordDocument'), `This is an old Word document (.doc). ${asCsv}`],
  [
    'a web page as .xls',
    '\ufeff\r\n<html xmlns:o="urn:schemas-microsoft-com:office:office"><table><tr><td>A</td></tr></table>',
    'This is a web page (HTML), even if its name ends in .xls: older tools export tables so. Open it in Excel or LibreOffice, and ' +
      'save it as CSV (UTF-8) or as a workbook (.xlsx).',
  ],
  [
    'a table of HTML in UTF-16',
    Buffer.from('\ufeff<TABLE><tr>', 'utf16le'),
    'This is a web page (HTML), even if its name ends in .xls: older tools export tables so. Open it in Excel or LibreOffice, and ' +
      'save it as CSV (UTF-8) or as a workbook (.xlsx).',
  ],
  [
    'an XML spreadsheet',
    '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
    'This is an XML spreadsheet of Excel 2003. Open it in Excel or LibreOffice, and save it as a workbook (.xlsx) or as CSV (UTF-8).',
  ],
  ['XML', '<?xml version="1.0"?><companies/>', `This is an XML document. ${asCsv}`],
])('%s is rejected with what it is and what to do', async (_, file, message) => {
  expect(await rejectionOf(file)).toBe(`list: ${message}`);
});

describe('an archive is rejected', () => {
  const archive = (...names: readonly string[]) =>
    buildZip(names.map((name) => ({ name, content: 'a,b\n1,2\n' })));

  test.each([
    [
      'of two lists',
      archive('b.csv', 'dir/a.csv'),
      'The ZIP archive contains 2 files: "b.csv", "dir/a.csv". Submit each list by itself, or in an archive of its own.',
    ],
    [
      'without a list',
      archive('__MACOSX/._a.csv', '.DS_Store', 'dir/'),
      'The ZIP archive contains no file. Create it again, with the list in it.',
    ],
    [
      'without anything',
      buildZip([]),
      'The ZIP archive contains no file. Create it again, with the list in it.',
    ],
    [
      'of a Word document',
      archive('word/document.xml', '[Content_Types].xml'),
      `This is a Word document. ${asCsv}`,
    ],
    [
      'of a presentation',
      archive('ppt/presentation.xml', '[Content_Types].xml'),
      `This is a PowerPoint presentation. ${asCsv}`,
    ],
    [
      'of a binary workbook',
      archive('xl/workbook.bin'),
      'This is a binary Excel workbook (.xlsb). Save it in Excel as a workbook (.xlsx) or as CSV (UTF-8).',
    ],
    [
      'of Numbers',
      archive('Index/Document.iwa', 'Metadata/Properties.plist'),
      'This is a Numbers spreadsheet. Export it in Numbers (File, Export To) as CSV (UTF-8) or as an Excel workbook.',
    ],
    [
      'of an older version of Numbers',
      archive('Index.zip', 'preview.jpg'),
      'This is a Numbers spreadsheet. Export it in Numbers (File, Export To) as CSV (UTF-8) or as an Excel workbook.',
    ],
    [
      'of another archive',
      buildZip([{ name: 'a.zip', content: archive('a.csv') }]),
      'The ZIP archive contains another ZIP archive. Decompress it and submit the list itself.',
    ],
    [
      'of a PDF document',
      buildZip([{ name: 'a.csv', content: '%PDF-1.7' }]),
      `This is a PDF document, which holds no table. ${asCsv}`,
    ],
    [
      'of an OpenDocument text',
      buildZip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', method: 0 },
        { name: 'content.xml', content: '<a/>' },
      ]),
      `This is an OpenDocument file without a spreadsheet. ${asCsv}`,
    ],
    [
      'of an OpenDocument spreadsheet with a password',
      buildZip([
        { name: 'mimetype', content: 'application/vnd.oasis.opendocument.spreadsheet', method: 0 },
        { name: 'content.xml', content: '\x12\x34' },
        { name: 'META-INF/manifest.xml', content: '<manifest:encryption-data/>' },
      ]),
      'The spreadsheet is protected by a password. Open it in LibreOffice, and save it without a password.',
    ],
    [
      'with a password',
      buildZip([{ name: 'a.csv', content: 'a,b', isEncrypted: true }]),
      'The ZIP archive is protected by a password. Decompress it and submit the list itself.',
    ],
    [
      'in an unsupported compression',
      buildZip([{ name: 'a.csv', content: 'a,b', method: 14 }]),
      'The file "a.csv" in the ZIP archive is compressed in an unsupported way (method 14). Create the archive again in the usual way (deflate).',
    ],
    [
      'with a wrong checksum',
      buildZip([{ name: 'a.csv', content: 'a,b', checksum: 1 }]),
      'The file "a.csv" in it is damaged. Copy or download the file again.',
    ],
    [
      'with a wrong size',
      buildZip([{ name: 'a.csv', content: 'a,b', size: 2 }]),
      'The file "a.csv" in it is damaged. Copy or download the file again.',
    ],
    [
      'with a name twice',
      archive('a.csv', 'A.csv'),
      'The ZIP archive contains the file "A.csv" twice. Create it again.',
    ],
  ])('%s', async (_, file, message) => {
    expect(await rejectionOf(file)).toBe(`list: ${message}`);
  });

  test.each(['../../etc/passwd', '/etc/passwd', 'C:/Windows/a.csv', '..\\a.csv'])(
    'with the unsafe name %s',
    async (name) => {
      expect(await rejectionOf(archive(name))).toMatch(
        /^list: The ZIP archive contains a file with an unsafe name \(.*\)\. Create it again from the list itself\.$/,
      );
    },
  );

  test('cut off anywhere', async () => {
    const whole = archive('a.csv');
    for (let length = 4; length < whole.length; length += 1) {
      expect(await rejectionOf(whole.subarray(0, length))).toBe(
        'list: The ZIP data is damaged or cut off. Copy or download the file again.',
      );
    }
  });
});
