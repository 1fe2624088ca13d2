import type { SheetInfo } from '../records/table.ts';
import type { XmlHandler } from '../../xml/xml-reader.ts';
import type { XmlTag } from '../../xml/xml-tag.ts';
import { createOdsCellReader } from './cell-reader.ts';

/** Row of a sheet with content. */
export interface OdsRow {
  readonly rowNo: number;
  /** Cells up to the last one with content. Rows that are stored once share them. */
  readonly cells: readonly string[];
  readonly isHidden: boolean;
}

/** Receiver of the contents of a spreadsheet. */
export interface ContentReceiver {
  /** Called at the start of each sheet. Returns true when its rows are wanted. */
  readonly onSheet: (sheet: SheetInfo) => boolean;
  readonly onRow: (row: OdsRow) => void;
  /** Called with the row, and the column from 0, of a cell whose value is an error. */
  readonly onErrorCell: (rowNo: number, column: number) => void;
  /** Called with the reason why the sheet is damaged. Must throw. */
  readonly onDamage: (rowNo: number, reason: string) => never;
}

/** Limits of LibreOffice and Excel. */
const sheetRowsMax = 1_048_576;
const sheetColumnsMax = 16_384;
const repeatsMax = 2 ** 31;

/** Creates a handler for `content.xml` of an OpenDocument spreadsheet (OpenDocument 1.3 part 3, section 9). */
export function createContentHandler(receiver: ContentReceiver): XmlHandler {
  const hiddenStyles = new Set<string>();
  const cell = createOdsCellReader();
  let style = '';
  let isWanted = false;
  let isInCell = false;
  let rowNo = 0;
  let rowRepeat = 1;
  let isHidden = false;
  let cells: string[] = [];
  let column = 0;
  let cellRepeat = 1;

  function openSheet(tag: XmlTag): void {
    const name = tag.attribute('name') ?? '';
    isWanted = receiver.onSheet({ name, isHidden: hiddenStyles.has(tag.attribute('style-name') ?? '') });
    rowNo = 0;
  }

  function openRow(tag: XmlTag): void {
    rowRepeat = repeatOf(tag, 'number-rows-repeated');
    isHidden = (tag.attribute('visibility') ?? 'visible') !== 'visible';
    cells = [];
    column = 0;
  }

  function closeRow(): void {
    const first = rowNo + 1;
    rowNo += rowRepeat;
    if (cells.length === 0) return;
    if (rowNo > sheetRowsMax) receiver.onDamage(first, `it has more than ${sheetRowsMax} rows`);
    for (let next = first; next <= rowNo; next += 1) receiver.onRow({ rowNo: next, cells, isHidden });
  }

  function openCell(tag: XmlTag): void {
    isInCell = true;
    cellRepeat = repeatOf(tag, 'number-columns-repeated');
    if (cell.open(tag)) receiver.onErrorCell(rowNo + 1, column);
  }

  function closeCell(): void {
    isInCell = false;
    const text = cell.text();
    if (text !== '') {
      if (column + cellRepeat > sheetColumnsMax)
        receiver.onDamage(rowNo + 1, `it has more than ${sheetColumnsMax} columns`);
      while (cells.length < column) cells.push('');
      for (let copy = 0; copy < cellRepeat; copy += 1) cells.push(text);
    }
    column += cellRepeat;
  }

  function repeatOf(tag: XmlTag, name: string): number {
    const repeat = Number(tag.attribute(name) ?? 1);
    if (Number.isInteger(repeat) && repeat > 0 && repeat <= repeatsMax) return repeat;
    return receiver.onDamage(rowNo + 1, `a part is repeated ${JSON.stringify(tag.attribute(name))} times`);
  }

  function onOpen(name: string, tag: XmlTag): void {
    if (isInCell) cell.openPart(name, tag);
    else if (name === 'style') style = tag.attribute('name') ?? '';
    else if (name === 'table-properties' && tag.attribute('display') === 'false') hiddenStyles.add(style);
    else if (name === 'table') openSheet(tag);
    else if (!isWanted) return;
    else if (name === 'table-row') openRow(tag);
    else if (isCell(name)) openCell(tag);
  }

  function onClose(name: string): void {
    if (isInCell && isCell(name)) closeCell();
    else if (isInCell) cell.closePart();
    else if (isWanted && name === 'table-row') closeRow();
    else if (name === 'table') isWanted = false;
  }

  return {
    onOpen,
    onClose,
    onText(text) {
      if (isInCell) cell.addText(text);
    },
  };
}

/** True for the elements of cells; those below a merged one are covered. */
function isCell(name: string): boolean {
  return name === 'table-cell' || name === 'covered-table-cell';
}
