import type { XmlHandler } from '../../xml/xml-reader.ts';
import type { XmlTag } from '../../xml/xml-tag.ts';
import { createCellReader, type CellContext, type CellReceiver } from './cell-reader.ts';
import { isTrue } from './read-workbook.ts';

/** Row of a sheet with content. */
export interface SheetRow {
  /** Number that the program shows beside it, from 1. */
  readonly rowNo: number;
  /** Cells up to the last one with content. */
  readonly cells: string[];
  readonly isHidden: boolean;
}

/** Receiver of the contents of a sheet. */
export interface SheetReceiver extends CellReceiver {
  readonly onRow: (row: SheetRow) => void;
}

/** Limit of Excel, and of LibreOffice for almost all files. */
const sheetRowsMax = 1_048_576;

/**
 * Creates a handler for the XML of a sheet, which passes on its rows with content.
 *
 * Rows and cells without a position follow the one before. The value of a merged area is in its first cell, as in Excel's own CSV.
 */
export function createSheetHandler(context: CellContext, receiver: SheetReceiver): XmlHandler {
  const cell = createCellReader(context, receiver);
  let isInData = false;
  let rowNo = 0;
  let isHidden = false;
  let cells: string[] = [];
  let column = -1;
  /** True within an element whose text is a part of the value, and within hints for the pronunciation. */
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

  function closeCell(): void {
    const text = cell.close();
    if (text === '') return;
    while (cells.length < column) cells.push('');
    cells.push(text);
  }

  function onOpen(name: string, tag: XmlTag): void {
    if (!isInData) {
      isInData = name === 'sheetData';
      return;
    }
    if (name === 'c') column = cell.open(tag, rowNo, column);
    else if (name === 'v' || (name === 't' && !isHint)) {
      isValueText = true;
      cell.addValue('');
    } else if (name === 'row') openRow(tag);
    else if (name === 'f') cell.addFormula();
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
    if (isValueText) cell.addValue(text);
  }

  return { onOpen, onClose, onText };
}
