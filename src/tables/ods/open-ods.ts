import { columnLetters } from '../cells/column-letters.ts';
import { emptySheets, sheetsToTry } from '../records/choose-sheet.ts';
import { createNotes, type NotesCollector } from '../records/collect-notes.ts';
import { createRecordBlocks } from '../records/record-blocks.ts';
import { shapeSheet } from '../records/shape-sheet.ts';
import { quoteNames, tableError } from '../records/table-error.ts';
import type { FormatTable, SheetInfo, TableOptions } from '../records/table.ts';
import type { TableBlocks } from '../records/table-record.ts';
import { translateXmlError } from '../xml/malformed-xml.ts';
import { readXml, readXmlParts } from '../xml/read-xml.ts';
import type { ZipArchive, ZipEntry } from '../zip/open-zip.ts';
import { createContentHandler } from './content-handler.ts';

/** XML has up to ten times the size of the text in its cells. */
const xmlShareMax = 10;
const sheetsMax = 10_000;

/** Sheet, with its position among all: two sheets of a file that another program wrote can share a name. */
interface OdsSheet extends SheetInfo {
  readonly index: number;
  readonly hasContent: boolean;
}

/**
 * Opens an OpenDocument spreadsheet (.ods), of LibreOffice or Google Sheets. Cells become text as those of Excel do.
 *
 * All sheets are in one part, which is read twice: for the list of sheets, and for the rows of one.
 *
 * @throws ValidationError when no sheet can be read, or the spreadsheet is damaged.
 */
export async function openOds(
  zip: ZipArchive,
  content: ZipEntry,
  options: TableOptions,
): Promise<FormatTable> {
  const { fileName, limits } = options;
  const bytesMax = xmlShareMax * limits.bytesMax;
  const open = () => zip.read(content, bytesMax);
  try {
    const sheets = await listSheets(open(), fileName);
    const tried = sheetsToTry(sheets, options.sheet, fileName);
    const sheet = tried.find(({ hasContent }) => hasContent);
    if (sheet === undefined) throw emptySheets(fileName, tried, sheets);
    const notes = createNotes();
    const shaped = await shapeSheet(readSheet(open(), sheet, notes, options), options.skipRows);
    return {
      format: 'ods',
      sheet: sheet.name,
      sheets: sheets.map(({ name, isHidden }) => ({ name, isHidden })),
      hasNames: false,
      records: shaped.records,
      notes: () => ({ ...notes.counts(), rowsAbove: shaped.rowsAbove }),
    };
  } catch (error) {
    throw translateXmlError(error, fileName, null);
  }
}

async function listSheets(bytes: AsyncIterable<Buffer>, fileName: string): Promise<readonly OdsSheet[]> {
  const sheets: OdsSheet[] = [];
  const handler = createContentHandler({
    onSheet(sheet) {
      sheets.push({ ...sheet, index: sheets.length, hasContent: false });
      if (sheets.length > sheetsMax)
        throw tableError(
          fileName,
          null,
          `The spreadsheet has more than ${sheetsMax} sheets. Save the list as CSV (UTF-8).`,
        );
      return true;
    },
    onRow() {
      const last = sheets.pop();
      if (last !== undefined) sheets.push({ ...last, hasContent: true });
    },
    onErrorCell() {},
    onDamage: (rowNo, reason) => rejectDamage(fileName, `row ${rowNo}`, reason),
  });
  await readXml(bytes, handler);
  return sheets;
}

async function* readSheet(
  bytes: AsyncIterable<Buffer>,
  wanted: OdsSheet,
  notes: NotesCollector,
  { fileName, limits }: TableOptions,
): TableBlocks {
  const within = `sheet ${quoteNames([wanted.name])}`;
  const blocks = createRecordBlocks({ fileName, limits, unit: 'row', within });
  let sheets = 0;
  const handler = createContentHandler({
    onSheet: () => sheets++ === wanted.index,
    onRow({ rowNo, cells, isHidden }) {
      if (isHidden) notes.addHiddenRow();
      blocks.add(rowNo, [...cells]);
    },
    onErrorCell: (rowNo, column) => notes.addErrorCell(`${columnLetters(column)}${rowNo}`),
    onDamage: (rowNo, reason) => rejectDamage(fileName, `${within}, row ${rowNo}`, reason),
  });
  try {
    yield* readXmlParts(bytes, handler, blocks.full);
  } catch (error) {
    throw translateXmlError(error, fileName, within);
  }
  yield* blocks.all();
}

function rejectDamage(fileName: string, place: string, reason: string): never {
  throw tableError(
    fileName,
    place,
    `The spreadsheet is damaged: ${reason}. Open it in LibreOffice or Excel, and save it again.`,
  );
}
