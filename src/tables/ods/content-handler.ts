import { isoDateText } from '../cells/date-text.ts';
import { numberText } from '../cells/number-text.ts';
import type { SheetInfo } from '../records/table.ts';
import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';
import { durationText } from './duration-text.ts';

/** Row of a sheet with content. */
export interface OdsRow {
  readonly rowNo: number;
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

/** Creates a handler for `content.xml` of an OpenDocument spreadsheet (ODF 1.3 part 3, §9). */
export function createContentHandler(receiver: ContentReceiver): XmlHandler {
  const hiddenStyles = new Set<string>();
  let style = '';
  let isWanted = false;
  let depth = 0;
  let rowNo = 0;
  let rowRepeat = 1;
  let isHidden = false;
  let cells: string[] = [];
  let column = 0;
  let cellRepeat = 1;
  /** Value of the cell by its attributes; null: its paragraphs are the value. */
  let value: string | null = null;
  let paragraphs: string[] = [];
  /** Depth of the open cell, of its open paragraph, and of a part of it that is no text; 0: none. */
  let cellDepth = 0;
  let paragraphDepth = 0;
  let skippedDepth = 0;

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
    cellDepth = depth;
    cellRepeat = repeatOf(tag, 'number-columns-repeated');
    value = valueOf(tag);
    paragraphs = [];
    if (tag.attribute('calcext:value-type') !== 'error') return;
    value = '';
    receiver.onErrorCell(rowNo + 1, column);
  }

  function closeCell(): void {
    cellDepth = 0;
    const text = value ?? paragraphs.join('\n');
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
    return Number.isInteger(repeat) && repeat > 0 && repeat <= 2 ** 31
      ? repeat
      : receiver.onDamage(rowNo + 1, `a part is repeated ${JSON.stringify(tag.attribute(name))} times`);
  }

  function openInCell(name: string, tag: XmlTag): void {
    if (skippedDepth > 0) return;
    if (paragraphDepth === 0) {
      if (name === 'p') {
        paragraphDepth = depth;
        paragraphs.push('');
      } else skippedDepth = depth;
    } else if (name === 's') append(' '.repeat(Math.min(repeatOf(tag, 'c'), 32_767)));
    else if (name === 'tab') append('\t');
    else if (name === 'line-break') append('\n');
    else if (name === 'annotation' || name === 'note' || name === 'ruby-text') skippedDepth = depth;
  }

  function append(text: string): void {
    paragraphs[paragraphs.length - 1] += text;
  }

  function onOpen(name: string, tag: XmlTag): void {
    depth += 1;
    if (cellDepth > 0) openInCell(name, tag);
    else if (name === 'style') style = tag.attribute('name') ?? '';
    else if (name === 'table-properties' && tag.attribute('display') === 'false') hiddenStyles.add(style);
    else if (name === 'table') openSheet(tag);
    else if (!isWanted) return;
    else if (name === 'table-row') openRow(tag);
    else if (name === 'table-cell' || name === 'covered-table-cell') openCell(tag);
  }

  function onClose(name: string): void {
    if (depth === skippedDepth) skippedDepth = 0;
    else if (depth === paragraphDepth) paragraphDepth = 0;
    else if (depth === cellDepth && cellDepth > 0) closeCell();
    else if (isWanted && cellDepth === 0 && name === 'table-row') closeRow();
    depth -= 1;
  }

  function onText(text: string): void {
    // White space is collapsed (ODF 1.3 part 3, §6.1.2).
    if (paragraphDepth > 0 && skippedDepth === 0) append(text.replace(/[\t\n\r ]+/g, ' '));
  }

  return { onOpen, onClose, onText };
}

/** Returns the value of a cell by its type; null for text. Dates have their own form, whatever the sheet shows. */
function valueOf(tag: XmlTag): string | null {
  switch (tag.attribute('office:value-type')) {
    case 'float':
    case 'percentage':
    case 'currency':
      return numberText(tag.attribute('office:value') ?? '');
    case 'date':
      return isoDateText(tag.attribute('office:date-value') ?? '', null);
    case 'time':
      return durationText(tag.attribute('office:time-value') ?? '');
    case 'boolean':
      return tag.attribute('office:boolean-value') === 'true' ? 'TRUE' : 'FALSE';
    default:
      return tag.attribute('office:string-value') ?? null;
  }
}
