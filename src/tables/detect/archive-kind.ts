import { quoteNames, tableError } from '../records/table-error.ts';
import { listPartBytesMax, findMainPart } from '../xlsx/read-workbook.ts';
import { translateXmlError } from '../xml/malformed-xml.ts';
import type { ZipArchive, ZipEntry } from '../zip/open-zip.ts';

/** Content of a ZIP archive that can be read. */
export type ArchiveKind =
  | { readonly kind: 'xlsx'; readonly main: ZipEntry }
  | { readonly kind: 'ods'; readonly content: ZipEntry }
  /** Archive of one list. */
  | { readonly kind: 'list'; readonly entry: ZipEntry };

const asCsv = 'Save the list as CSV (UTF-8) or as an Excel workbook (.xlsx) and try again.';

/**
 * Finds the content of a ZIP archive by the files in it.
 *
 * @throws ValidationError for a document that is no spreadsheet, an unsupported spreadsheet, and an archive of no or several lists.
 */
export async function findArchiveKind(zip: ZipArchive, fileName: string): Promise<ArchiveKind> {
  const reject = (message: string): never => {
    throw tableError(fileName, null, message);
  };
  const has = (name: string) => zip.find(name) !== undefined;
  if (has('word/document.xml')) return reject(`This is a Word document. ${asCsv}`);
  if (has('ppt/presentation.xml')) return reject(`This is a PowerPoint presentation. ${asCsv}`);
  if (has('xl/workbook.bin'))
    return reject(
      'This is a binary Excel workbook (.xlsb). Save it in Excel as a workbook (.xlsx) or as CSV (UTF-8).',
    );
  const isOoxml = has('[Content_Types].xml') && zip.entries.some(({ name }) => /\.rels$/i.test(name));
  const main = isOoxml || has('xl/workbook.xml') ? await readMainPart(zip, fileName) : undefined;
  if (main !== undefined) return { kind: 'xlsx', main };
  if (zip.entries.some(({ name }) => /(?:^|\/)Index\.zip$|^Index\/.*\.iwa$|\.numbers\/Index/i.test(name)))
    return reject(
      'This is a Numbers spreadsheet. Export it in Numbers (File, Export To) as CSV (UTF-8) or as an Excel workbook.',
    );
  const ods = await findOpenDocument(zip, fileName);
  if (ods !== null) return { kind: 'ods', content: ods };
  return { kind: 'list', entry: onlyList(zip, fileName) };
}

async function readMainPart(zip: ZipArchive, fileName: string): Promise<ZipEntry | undefined> {
  try {
    return await findMainPart(zip);
  } catch (error) {
    throw translateXmlError(error, fileName, null);
  }
}

/** Finds the content of an OpenDocument spreadsheet; null for another archive. */
async function findOpenDocument(zip: ZipArchive, fileName: string): Promise<ZipEntry | null> {
  const mimetype = zip.find('mimetype');
  if (mimetype === undefined) return null;
  const type = (await readStart(zip, mimetype)).trim();
  if (!type.startsWith('application/vnd.oasis.opendocument')) return null;
  const content = zip.find('content.xml');
  if (!/\.spreadsheet(?:-template)?$/.test(type) || content === undefined)
    throw tableError(fileName, null, `This is an OpenDocument file without a spreadsheet. ${asCsv}`);
  const manifest = zip.find('META-INF/manifest.xml');
  if (manifest !== undefined && (await readStart(zip, manifest)).includes('encryption-data'))
    throw tableError(
      fileName,
      null,
      'The spreadsheet is protected by a password. Open it in LibreOffice, and save it without a password.',
    );
  return content;
}

async function readStart(zip: ZipArchive, entry: ZipEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of zip.read(entry, listPartBytesMax)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Files that systems add to archives without being asked. */
const addedBySystems = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i;

function onlyList(zip: ZipArchive, fileName: string): ZipEntry {
  const lists = zip.entries.filter(({ name }) => !addedBySystems.test(name));
  const [first] = lists;
  if (first === undefined)
    throw tableError(
      fileName,
      null,
      'The ZIP archive contains no file. Create it again, with the list in it.',
    );
  if (lists.length === 1) return first;
  throw tableError(
    fileName,
    null,
    `The ZIP archive contains ${lists.length} files: ${quoteNames(lists.map(({ name }) => name))}. ` +
      'Submit each list by itself, or in an archive of its own.',
  );
}
