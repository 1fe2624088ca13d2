import { tableError } from '../records/table-error.ts';

const asCsv = 'Save the list as CSV (UTF-8) or as an Excel workbook (.xlsx) and try again.';

/** Formats that hold no list that can be read, by their first bytes (in hexadecimal). No CSV file starts with them. */
const binaryFormats: readonly (readonly [start: string, what: string])[] = [
  ['25504446', 'a PDF document, which holds no table'],
  ['89504e470d0a1a0a', 'a PNG image'],
  ['ffd8ff', 'a JPEG image'],
  ['474946383961', 'a GIF image'],
  ['474946383761', 'a GIF image'],
  ['28b52ffd', 'a Zstandard archive'],
  ['fd377a585a00', 'an XZ archive'],
  ['377abcaf271c', 'a 7z archive'],
  ['526172211a07', 'a RAR archive'],
  ['425a68', 'a bzip2 archive'],
  ['1f8b', 'a gzip archive within another archive'],
  ['4f626a01', 'an Avro file'],
  ['4f5243', 'an ORC file'],
  ['4152524f5731', 'an Arrow file'],
  ['53514c69746520666f726d6174203300', 'an SQLite database'],
  ['7b5c727466', 'a rich text document (.rtf)'],
];

/**
 * Rejects a file that people submit as a list but that is none, by its first bytes. Each message says what the file is and what to do.
 *
 * @throws ValidationError
 */
export function rejectUnreadable(head: Buffer, fileName: string): void {
  const start = head.toString('hex', 0, 16);
  const found = binaryFormats.find(([form]) => start.startsWith(form));
  if (found !== undefined) throw tableError(fileName, null, `This is ${found[1]}. ${asCsv}`);
  if (start.startsWith('d0cf11e0a1b11ae1')) throw compoundFile(head, fileName);
  // Records of Excel 2 to 4, from before compound files.
  if (/^09(?:00|02|04)0[46]00/.test(start)) throw oldWorkbook(fileName);
  const text = head
    .toString('latin1', 0, 4096)
    .replace(/^\xef\xbb\xbf/, '')
    .replaceAll('\0', '')
    .trimStart();
  if (/^(?:\xff\xfe|\xfe\xff)?\s*<(?:!doctype html|html|head|body|table|meta|style|script|div)\b/i.test(text))
    throw tableError(
      fileName,
      null,
      'This is a web page (HTML), even if its name ends in .xls: older tools export tables so. Open it in Excel or LibreOffice, and ' +
        'save it as CSV (UTF-8) or as a workbook (.xlsx).',
    );
  if (/^<\?xml|^<[a-z]+:?workbook/i.test(text)) throw xmlFile(text, fileName);
}

/** Names of streams in a compound file are in UTF-16. */
function compoundFile(head: Buffer, fileName: string): Error {
  const has = (name: string) => head.includes(Buffer.from(name, 'utf16le'));
  if (has('EncryptedPackage') || has('EncryptionInfo'))
    return tableError(
      fileName,
      null,
      'The workbook is protected by a password. Open it in Excel, remove the password (File, Info, Protect Workbook), and save it again.',
    );
  if (has('WordDocument')) return tableError(fileName, null, `This is an old Word document (.doc). ${asCsv}`);
  if (has('PowerPoint Document'))
    return tableError(fileName, null, `This is an old PowerPoint presentation (.ppt). ${asCsv}`);
  return oldWorkbook(fileName);
}

function oldWorkbook(fileName: string): Error {
  return tableError(
    fileName,
    null,
    'This is a workbook of an old version of Excel (.xls). Open it in Excel or LibreOffice, and save it as a workbook (.xlsx) or as CSV (UTF-8).',
  );
}

function xmlFile(text: string, fileName: string): Error {
  if (/progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet/i.test(text))
    return tableError(
      fileName,
      null,
      'This is an XML spreadsheet of Excel 2003. Open it in Excel or LibreOffice, and save it as a workbook (.xlsx) or as CSV (UTF-8).',
    );
  return tableError(fileName, null, `This is an XML document. ${asCsv}`);
}
