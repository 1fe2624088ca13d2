import type { XmlHandler } from '../xml/xml-reader.ts';
import type { XmlTag } from '../xml/xml-tag.ts';
import { columnLetters, columnOf } from '../cells/column-letters.ts';
import { formattedNumber, storedDate } from './cell-text.ts';
import type { NumberFormat } from './number-format.ts';
import { formatOf } from './read-styles.ts';
import { isTrue } from './read-workbook.ts';
import { unescapeText } from './unescape-text.ts';

/** Row of a sheet with content. */
export interface SheetRow {
  /** Number that the program shows beside it, from 1. */
  readonly rowNo: number;
  /** Cells up to the last one with content. */
  readonly cells: string[];
  readonly isHidden: boolean;
}

/** Contents of a workbook that its cells refer to. */
export interface CellContext {
  readonly styles: readonly NumberFormat[];
  readonly isFrom1904: boolean;
  /** Returns the nth shared text; undefined when there is none. */
  readonly sharedText: (index: number) => string | undefined;
}

/** Receiver of the contents of a sheet. */
export interface SheetReceiver {
  readonly onRow: (row: SheetRow) => void;
  /** Called with the position of a cell whose value is an error, such as `#N/A`. */
  readonly onErrorCell: (cell: string) => void;
  /** Called with the position of a formula without a stored result. */
  readonly onUncalculatedCell: (cell: string) => void;
  /** Called with the reason why the sheet is damaged. Must throw. */
  readonly onDamage: (rowNo: number, reason: string) => never;
}

/** Limits of Excel (and of LibreOffice, for almost all files). */
const sheetRowsMax = 1_048_576;
const sheetColumnsMax = 16_384;

/**
 * Creates a handler for the XML of a sheet, which passes on its rows with content.
 *
 * Rows and cells without a position follow the one before. The value of a merged area is in its first cell, as in Excel's own CSV.
 */
export function createSheetHandler(context: CellContext, receiver: SheetReceiver): XmlHandler {
  let isInData = false;
  let rowNo = 0;
  let isHidden = false;
  let cells: string[] = [];
  let column = -1;
  let type = 'n';
  let style: string | undefined;
  let value = '';
  let hasValue = false;
  let hasFormula = false;
  /** Element whose text is a part of the value. */
  let isValueText = false;
  let isHint = false;

  function openRow(tag: XmlTag): void {
    const given = tag.attribute('r');
    const next = given === undefined ? rowNo + 1 : Number(given);
    if (!Number.isInteger(next) || next <= rowNo || next > sheetRowsMax)
      receiver.onDamage(
        rowNo + 1,
        `the row after row ${rowNo} has the number ${JSON.stringify(given ?? next)}`,
      );
    rowNo = next;
    isHidden = isTrue(tag.attribute('hidden'));
    cells = [];
    column = -1;
  }

  function openCell(tag: XmlTag): void {
    const reference = tag.attribute('r');
    const next = reference === undefined ? column + 1 : columnOf(reference);
    if (next <= column || next >= sheetColumnsMax)
      receiver.onDamage(rowNo, `a cell has the position ${JSON.stringify(reference ?? next)}`);
    column = next;
    type = tag.attribute('t') ?? 'n';
    style = tag.attribute('s');
    value = '';
    hasValue = false;
    hasFormula = false;
  }

  function closeCell(): void {
    const text = hasValue ? textOf() : '';
    if (hasFormula && value === '' && type !== 'str') receiver.onUncalculatedCell(position());
    if (text === '') return;
    while (cells.length < column) cells.push('');
    cells.push(text);
  }

  function textOf(): string {
    switch (type) {
      case 's':
        return unescapeText(sharedText());
      case 'str':
      case 'inlineStr':
        return unescapeText(value);
      case 'b':
        return isTrue(value.trim()) ? 'TRUE' : 'FALSE';
      case 'e':
        receiver.onErrorCell(position());
        return '';
      case 'd':
        return storedDate(value.trim(), formatOf(context.styles, style));
      default:
        return formattedNumber(value.trim(), formatOf(context.styles, style), context.isFrom1904);
    }
  }

  function sharedText(): string {
    const text = /^\s*[0-9]+\s*$/.test(value) ? context.sharedText(Number(value)) : undefined;
    return text ?? receiver.onDamage(rowNo, `the cell ${position()} refers to a text that does not exist`);
  }

  function position(): string {
    return `${columnLetters(column)}${rowNo}`;
  }

  function onOpen(name: string, tag: XmlTag): void {
    if (!isInData) {
      isInData = name === 'sheetData';
      return;
    }
    if (name === 'c') openCell(tag);
    else if (name === 'v' || (name === 't' && !isHint)) {
      isValueText = true;
      hasValue = true;
    } else if (name === 'row') openRow(tag);
    else if (name === 'f') hasFormula = true;
    else if (name === 'rPh') isHint = true;
  }

  function onClose(name: string): void {
    if (!isInData) return;
    if (name === 'c') closeCell();
    else if (name === 'v' || name === 't') isValueText = false;
    else if (name === 'row') {
      if (cells.length > 0) receiver.onRow({ rowNo, cells, isHidden });
    } else if (name === 'rPh') isHint = false;
    else if (name === 'sheetData') isInData = false;
  }

  function onText(text: string): void {
    if (isValueText) value += text;
  }

  return { onOpen, onClose, onText };
}
