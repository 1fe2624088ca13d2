import { createRecordBlocks } from '../records/record-blocks.ts';
import { emptySheets, sheetsToTry } from '../records/choose-sheet.ts';
import { createNotes, type NotesCollector } from '../records/collect-notes.ts';
import { shapeSheet } from '../records/shape-sheet.ts';
import { describeBytes, quoteNames, tableError, tableTooLarge } from '../records/table-error.ts';
import type { FormatTable, TableOptions } from '../records/table.ts';
import type { TableBlocks } from '../records/table-record.ts';
import { translateXmlError } from '../xml/malformed-xml.ts';
import { readXmlParts } from '../xml/read-xml.ts';
import type { ZipArchive, ZipEntry } from '../zip/open-zip.ts';
import { readSharedStrings, sharedTextsMax } from './read-shared-strings.ts';
import { readStyles } from './read-styles.ts';
import { readWorkbook, type WorkbookSheet } from './read-workbook.ts';
import type { CellContext } from './cell-reader.ts';
import { createSheetHandler } from './sheet-handler.ts';

/** XML has up to ten times the size of the text in its cells. */
const xmlShareMax = 10;
/** Styles of a workbook in bytes. */
const stylesBytesMax = 64 * 1024 * 1024;

/**
 * Opens an Excel workbook (.xlsx, .xlsm), also in the strict form and as written by Google Sheets and LibreOffice.
 *
 * Cells become text: numbers with 15 digits, dates as ISO 8601 by their number format, booleans as TRUE and FALSE, formulas as their stored
 * result. An error such as `#N/A` is an empty cell, which the notes count: a lookup of `#N/A` would cost credits. Percentages stay fractions.
 *
 * @throws ValidationError when no sheet can be read, or the workbook is damaged.
 */
export async function openXlsx(zip: ZipArchive, main: ZipEntry, options: TableOptions): Promise<FormatTable> {
  const { fileName } = options;
  try {
    const workbook = await readWorkbook(zip, main);
    const tried = sheetsToTry(workbook.sheets, options.sheet, fileName);
    const context = await readContext(zip, workbook, options);
    for (const sheet of tried) {
      const notes = createNotes();
      const rows = readSheet(zip, sheet, context, notes, options);
      const shaped = await shapeSheet(rows, options.skipRows);
      const first = await shaped.records.next();
      if (first.done === true) continue;
      return {
        format: 'xlsx',
        sheet: sheet.name,
        sheets: workbook.sheets.map(({ name, isHidden }) => ({ name, isHidden })),
        hasNames: false,
        records: withFirst(first.value, shaped.records),
        notes: () => ({ ...notes.counts(), rowsAbove: shaped.rowsAbove }),
      };
    }
    throw emptySheets(fileName, tried, workbook.sheets);
  } catch (error) {
    throw translateXmlError(error, fileName, null);
  }
}

async function readContext(
  zip: ZipArchive,
  { styles, sharedStrings, isFrom1904 }: Awaited<ReturnType<typeof readWorkbook>>,
  { fileName, limits }: TableOptions,
): Promise<CellContext> {
  const tooLarge = (): never => {
    throw tableTooLarge(
      fileName,
      null,
      `The texts of the workbook are more than ${describeBytes(limits.bytesMax)} or ${sharedTextsMax} texts. Split it into smaller files.`,
    );
  };
  const formats = styles === undefined ? [] : await readStyles(zip.read(styles, stylesBytesMax));
  const texts =
    sharedStrings === undefined
      ? null
      : await readSharedStrings(
          zip.read(sharedStrings, xmlShareMax * limits.bytesMax),
          limits.bytesMax,
          tooLarge,
        );
  return { styles: formats, isFrom1904, sharedText: (index) => texts?.get(index) };
}

async function* readSheet(
  zip: ZipArchive,
  sheet: WorkbookSheet,
  context: CellContext,
  notes: NotesCollector,
  { fileName, limits }: TableOptions,
): TableBlocks {
  const within = `sheet ${quoteNames([sheet.name])}`;
  const blocks = createRecordBlocks({ fileName, limits, unit: 'row', within });
  const handler = createSheetHandler(context, {
    onRow({ rowNo, cells, isHidden }) {
      if (isHidden) notes.addHiddenRow();
      blocks.add(rowNo, cells);
    },
    onErrorCell: notes.addErrorCell,
    onUncalculatedCell: notes.addUncalculatedCell,
    onDamage(rowNo, reason) {
      throw tableError(
        fileName,
        `${within}, row ${rowNo}`,
        `The sheet is damaged: ${reason}. Open it in Excel or LibreOffice, and save it again.`,
      );
    },
  });
  try {
    yield* readXmlParts(zip.read(sheet.entry, xmlShareMax * limits.bytesMax), handler, blocks.full);
  } catch (error) {
    throw translateXmlError(error, fileName, within);
  }
  yield* blocks.all();
}

async function* withFirst(
  first: Awaited<ReturnType<TableBlocks['next']>>['value'],
  rest: TableBlocks,
): TableBlocks {
  if (first !== undefined) yield first;
  yield* rest;
}
